import type { TelegramAccount } from "../../../domain/telegram.ts";
import { momentText } from "../../machines/kit/format.ts";
import {
  selectIsResuming,
  useCanTelegramAccount,
  useTelegramAccount,
  useTelegramAccountEvents,
} from "../../machines/telegram-account/index.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";

const momentOf = (time: string): string => momentText(time) ?? "—";

/** In a word, how the account fares. */
export function StatusBadge({ account }: { account: TelegramAccount }) {
  if (account.stopped_reason !== null) return <Badge tone="bad">Sending stopped</Badge>;
  if (account.unusable_since) return <Badge tone="warn">Telegram out of reach</Badge>;
  if (account.paused_until !== null) return <Badge tone="warn">Paused</Badge>;
  return <Badge tone="good">Healthy</Badge>;
}

/** What holds the account up, with the way on where a person has it. */
export function Hindrance({ account }: { account: TelegramAccount }) {
  const isResuming = useTelegramAccount(selectIsResuming);
  const canResume = useCanTelegramAccount({ type: "sending.resume" });
  const { resumeSending } = useTelegramAccountEvents();
  if (account.stopped_reason !== null)
    return (
      <Banner
        tone="warn"
        actions={
          <Button onClick={resumeSending} isPending={isResuming} disabled={!canResume && !isResuming}>
            Resume sending
          </Button>
        }
      >
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
