import { Link } from "wouter";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { hourText, numberText } from "../../machines/kit/format.ts";
import { selectOutdated, selectUnread } from "../../machines/kit/reading.ts";
import {
  selectAccount,
  selectProblem,
  useTelegramAccount,
  useTelegramAccountEvents,
} from "../../machines/telegram-account/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Card } from "../../ui/Card.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Hindrance, StatusBadge } from "../connect-telegram/AccountStanding.tsx";
import css from "./DayView.module.css";

const DAY_MS = 86_400_000;

/** How the account fares, and today's messages to new contacts against the limit. `now` is the server's, where it is known. */
export function Account({ now }: { now: number }) {
  const account = useTelegramAccount(selectAccount);
  const problem = useTelegramAccount(selectProblem);
  const unread = useTelegramAccount(selectUnread);
  const outdated = useTelegramAccount(selectOutdated);
  const { retryReading } = useTelegramAccountEvents();
  const isLost = account !== null && !account.connected && account.ended_reason;
  if (unread === null && !account?.connected && !isLost) return null;
  return (
    <Card className={css["side"]} aria-labelledby="day-account">
      <div className={css["head"]}>
        <h2 id="day-account" className={css["title"]}>
          Your account
        </h2>
        {account?.connected && <StatusBadge account={account} />}
      </div>
      {unread !== null && <NotRead isShort what={unread} onRetry={retryReading} />}
      {outdated !== null && <NotRead isShort isOutdated what={outdated} onRetry={retryReading} />}
      {problem !== null && <Banner tone="bad">{problem}</Banner>}
      {isLost && (
        <p className={css["nothing"]}>
          {isLost} <Link href="/connect-telegram">Connect again</Link>
        </p>
      )}
      {account?.connected && (
        <>
          <Hindrance account={account} />
          <Limit account={account} now={now} />
          <Link href="/connect-telegram" className={css["onward"] ?? ""}>
            Account health
          </Link>
        </>
      )}
    </Card>
  );
}

function Limit({ account: { sent_today, daily_cap }, now }: { account: TelegramAccount; now: number }) {
  const isReached = sent_today >= daily_cap;
  // The limit counts by days of UTC.
  const anew = hourText(new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS).toISOString()) ?? "";
  const words = `${numberText(sent_today)} of ${numberText(daily_cap)}`;
  return (
    <div className={css["limit"]}>
      <p className={css["limitWords"]}>
        <span>New contacts written to today</span> <strong>{words}</strong>
      </p>
      <meter
        className={css["meter"]}
        aria-label="New contacts written to today"
        min={0}
        max={daily_cap}
        value={Math.min(sent_today, daily_cap)}
      >
        {words}
      </meter>
      <p className={css["heldNext"]}>
        {isReached ? `The limit is reached. It begins anew at ${anew}.` : `The count begins anew at ${anew}.`}
      </p>
    </div>
  );
}
