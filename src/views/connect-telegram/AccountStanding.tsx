import type { ReactNode } from "react";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { momentText } from "../../machines/kit/format.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Banner } from "../../ui/Banner.tsx";

const momentOf = (time: string): string => momentText(time) ?? "—";

/** In a word, how the account fares. */
export function StatusBadge({ account }: { account: TelegramAccount }) {
  if (account.stopped_reason !== null) return <Badge tone="bad">Sending stopped</Badge>;
  if (account.unusable_since) return <Badge tone="warn">Telegram out of reach</Badge>;
  if (account.paused_until !== null) return <Badge tone="warn">Paused</Badge>;
  return <Badge tone="good">Healthy</Badge>;
}

/** What holds the account up; `wayOn` stands beside a stop that only a person ends. */
export function Hindrance({ account, wayOn }: { account: TelegramAccount; wayOn: ReactNode }) {
  if (account.stopped_reason !== null)
    return (
      <Banner tone="warn" actions={wayOn}>
        {account.stopped_reason}
      </Banner>
    );
  if (account.unusable_since)
    return (
      <Banner tone="warn">
        Telegram has not answered for this account since {momentOf(account.unusable_since)}. We keep trying; messages
        wait and are not lost.
      </Banner>
    );
  if (account.paused_until === null) return null;
  return (
    <Banner tone="warn">
      Paused until {momentOf(account.paused_until)}
      {account.paused_reason === null ? "." : `: ${account.paused_reason}`}
    </Banner>
  );
}
