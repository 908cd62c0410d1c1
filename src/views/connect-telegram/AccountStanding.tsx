import { t } from "@lingui/core/macro";
import { translate } from "#language";
import type { ReactNode } from "react";
import { PAUSE_MESSAGES } from "../../../domain/bulk.ts";
import { STOPPED_MESSAGE } from "../../../domain/refusal-messages.ts";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { momentText } from "../../language/format.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Banner } from "../../ui/Banner.tsx";

export const momentOf = (time: string | null): string => momentText(time) ?? "—";

/** The account's state as a badge. */
export function StatusBadge({ account }: { account: TelegramAccount }) {
  if (account.stopped_reason !== null) return <Badge tone="bad">{t`Sending stopped`}</Badge>;
  if (account.unusable_since) return <Badge tone="warn">{t`Telegram out of reach`}</Badge>;
  if (account.paused_until !== null) return <Badge tone="warn">{t`Paused`}</Badge>;
  return <Badge tone="good">{t`Healthy`}</Badge>;
}

/** What blocks sending; `wayOn` is shown beside a stop that only the user can end. */
export function SendingIssue({ account, wayOn }: { account: TelegramAccount; wayOn: ReactNode }) {
  if (account.stopped_reason !== null)
    return (
      <Banner tone="warn" actions={wayOn}>
        {translate(STOPPED_MESSAGE)}
      </Banner>
    );
  if (account.unusable_since)
    return (
      <Banner tone="warn">
        {t`Telegram has not answered for this account since ${{ unusableSince: momentOf(account.unusable_since) }}. We keep trying; messages wait and are not lost.`}
      </Banner>
    );
  if (account.paused_until === null) return null;
  return (
    <Banner tone="warn">
      {t`Paused until ${{ moment: momentOf(account.paused_until) }}: ${{ reason: translate(PAUSE_MESSAGES.account_waits) }}`}
    </Banner>
  );
}
