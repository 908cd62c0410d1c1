import { t } from "@lingui/core/macro";
import { reasonOf } from "../../../domain/stored-reasons.ts";
import { translate } from "#language";
import { Link } from "wouter";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { ForecastChart, stateOfPart } from "../../machines/forecast/forecast.machine.ts";
import { hourText, numberText } from "../../language/format.ts";
import { Note, Row, Stack } from "../../ui/layout.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { SendingIssue, StatusBadge } from "../connect-telegram/AccountStanding.tsx";
import css from "./ForecastView.module.css";
import { PartCard } from "./PartCard.tsx";

const DAY_MS = 86_400_000;

/** The account's health, and today's messages to new contacts against the limit. `now` is the server's time, if known. */
export function Account({ now }: { now: number }) {
  const [chart] = ForecastChart.use();
  const { account } = chart.context;
  const state = stateOfPart(chart, "account");
  const loss = account === null || account.connected ? null : reasonOf(account, "ended_reason");
  if (state === "loading" || state === "unknown") return null;
  if (state === "shown" && !account?.connected && loss === null) return null;
  return (
    <PartCard
      part="account"
      title={t`Your account`}
      what={t`the account's health`}
      aside={account?.connected && <StatusBadge account={account} />}
    >
      {loss !== null && (
        <Note>
          {translate(loss)} <Link href="/connect-telegram">{t`Connect again`}</Link>
        </Note>
      )}
      {account?.connected && (
        <>
          <SendingIssue account={account} wayOn={<Link href="/connect-telegram">{t`Resume sending`}</Link>} />
          <Limit account={account} now={now} />
          <Link href="/connect-telegram" className={css["onward"] ?? ""}>
            {t`Account health`}
          </Link>
        </>
      )}
    </PartCard>
  );
}

function Limit({ account: { sent_today, daily_cap }, now }: { account: TelegramAccount; now: number }) {
  const isReached = sent_today >= daily_cap;
  // The limit resets at midnight UTC.
  const midnight = hourText(new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS).toISOString()) ?? "";
  const share = t`${{ sent: numberText(sent_today) }} of ${{ limit: numberText(daily_cap) }}`;
  return (
    <Stack gap={1}>
      <Row as="p" wraps justify="between" gap={[0, 3]}>
        <span>{t`New contacts today`}</span> <strong>{share}</strong>
      </Row>
      <Meter label={t`New contacts today`} max={daily_cap} value={Math.min(sent_today, daily_cap)} />
      <Note>{isReached ? t`The limit is reached. It resets at ${midnight}.` : t`Resets at ${midnight}.`}</Note>
    </Stack>
  );
}
