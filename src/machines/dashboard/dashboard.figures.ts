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
  /** Whether Telegram ended the session of the account, which is another thing than none having been connected. */
  readIsLost: (signal: AbortSignal) => Promise<boolean>;
  news: { subscribe: (type: "lead.changed" | "telegram.changed", listener: () => void) => () => void };
  /** Tells when the page comes back: what it shows may be old. */
  onReturn: (listener: () => void) => () => void;
  logger: Logger;
  now: () => number;
  userId: string;
  /** The status of the session's subscription; another one is asked for only when this one gives no access. */
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
/** News comes in bursts: what it changes is read once for all of it. */
const BURST_MS = 1_500;

const givesAccess = (status: string | null) => ACCESS_STATUSES.includes(status ?? "");

/**
 * The numbers of the dashboard, each read on its own and kept fresh by news. No chart of its own: nothing is ever
 * forbidden here that a reading does not forbid by itself.
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
  useNews(news, "lead.changed", lastLeadAt.refresh, leads.refresh);
  useNews(news, "telegram.changed", accounts.refresh);
  // Of these nothing tells but the page's own return.
  const [refreshStages, refreshIsActive] = [stages.refresh, isActive.refresh];
  useEffect(
    () =>
      onReturn(() => {
        refreshStages();
        refreshIsActive();
      }),
    [onReturn, refreshStages, refreshIsActive],
  );
  return { lastLeadAt, leads, stages, accounts, isActive };
}

type News = DashboardParts["news"];
type NewsType = Parameters<News["subscribe"]>[0];

/** Refreshes once for each burst of news. */
function useNews(news: News, type: NewsType, refresh: () => void, refreshToo?: () => void) {
  useEffect(
    () =>
      onBurst(news, type, () => {
        refresh();
        refreshToo?.();
      }),
    [news, type, refresh, refreshToo],
  );
}

/** Calls back a while after the first of several events that come close together; returns the way to stop. */
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

/** How long ago the newest lead came, in words; after a week its full date and time. */
export function lastLeadText(createdAt: string | null, now: number): UiTextOrString {
  if (createdAt === null) return msg`None yet`;
  const time = Date.parse(createdAt);
  if (Number.isNaN(time)) return "—";
  const age = now - time;
  if (age < MINUTE) return msg`just now`;
  return age < WEEK ? agoText(age) : fullTimeText(time);
}
