import { useEffect } from "react";
import { ACCESS_STATUSES } from "../../../domain/access.ts";
import type { DataGateway } from "../../services/data.ts";
import type { Logger } from "../../services/logger.ts";
import { type Readout, useReading } from "../reading/reading.machine.ts";
import { msg } from "@lingui/core/runtime-macro";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { agoText, fullTimeText } from "../../language/format.ts";

export type DashboardParts = {
  data: Pick<
    DataGateway,
    "fetchNewestStatus" | "countLeadsSince" | "countStages" | "countTelegramSessions" | "fetchLastLeadTime"
  >;
  /** Whether Telegram ended the account's session, as opposed to an account that was never connected. */
  readIsLost: (signal: AbortSignal) => Promise<boolean>;
  news: { subscribe: (type: "lead.changed" | "telegram.changed", listener: () => void) => () => void };
  /** Reports when the page comes back: its data may be stale. */
  onReturn: (listener: () => void) => () => void;
  logger: Logger;
  now: () => number;
  userId: string;
  /** The status of the session's subscription; a newer one is read only if this one gives no access. */
  status: string | null;
};

export type DashboardFigures = {
  /** `created_at` of the newest lead; null for no lead. */
  lastLeadAt: Readout<string | null>;
  leads: Readout<number>;
  stages: Readout<number>;
  accounts: Readout<number>;
  isActive: Readout<boolean>;
};

const WINDOW_MS = 7 * 86_400_000;
/** Events come in bursts: each burst causes one refresh. */
const BURST_MS = 1_500;

const givesAccess = (status: string | null) => ACCESS_STATUSES.includes(status ?? "");

/**
 * The dashboard's numbers, each read independently and refreshed by events. A hook, because there are no states beyond those of each read.
 */
export function useDashboardFigures({
  data,
  news,
  onReturn,
  logger,
  now,
  userId,
  status,
}: DashboardParts): DashboardFigures {
  const lastLeadAt = useReading({
    what: "the last lead",
    logger,
    read: (signal) => data.fetchLastLeadTime(userId, signal),
  });
  const leads = useReading({
    what: "the number of leads",
    logger,
    read: (signal) => data.countLeadsSince(userId, new Date(now() - WINDOW_MS).toISOString(), signal),
  });
  const stages = useReading({
    what: "the number of stages",
    logger,
    read: (signal) => data.countStages(userId, signal),
  });
  const accounts = useReading({
    what: "the number of Telegram accounts",
    logger,
    read: (signal) => data.countTelegramSessions(userId, signal),
  });
  const isActive = useReading({
    what: "your subscription",
    logger,
    read: async (signal) => givesAccess(status) || givesAccess(await data.fetchNewestStatus(userId, signal)),
  });
  useNews(news, "lead.changed", lastLeadAt.refresh);
  useNews(news, "lead.changed", leads.refresh);
  useNews(news, "telegram.changed", accounts.refresh);
  // No events report these, so only the page's return refreshes them.
  const [refreshStages, refreshIsActive] = [stages.refresh, isActive.refresh];
  useEffect(() => onReturn(refreshStages), [onReturn, refreshStages]);
  useEffect(() => onReturn(refreshIsActive), [onReturn, refreshIsActive]);
  return { lastLeadAt, leads, stages, accounts, isActive };
}

type News = DashboardParts["news"];
type NewsType = Parameters<News["subscribe"]>[0];

/** Refreshes once per burst of events. */
function useNews(news: News, type: NewsType, refresh: () => void) {
  useEffect(() => onBurst(news, type, refresh), [news, type, refresh]);
}

/** Calls back a while after the first of several events in quick succession. Returns a function that unsubscribes. */
function onBurst(news: News, type: NewsType, listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = news.subscribe(type, () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      listener();
    }, BURST_MS);
  });
  return () => {
    leave();
    clearTimeout(timer);
  };
}

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;

/** How long ago the newest lead was created; after a week its full date and time. */
export function lastLeadText(createdAt: string | null, now: number): UiTextOrString {
  if (createdAt === null) return msg`None yet`;
  const time = Date.parse(createdAt);
  if (Number.isNaN(time)) return "—";
  const age = now - time;
  if (age < MINUTE) return msg`just now`;
  return age < WEEK ? agoText(age) : fullTimeText(time);
}
