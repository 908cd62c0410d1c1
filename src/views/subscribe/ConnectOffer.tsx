import { t } from "@lingui/core/macro";
import { Link } from "wouter";
import type { Page } from "../../machines/kit/page.ts";
import { useReading } from "../../machines/reading/reading.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { buttonClass } from "../../ui/Button.tsx";

export type ConnectOfferProps = {
  /** Whether a Telegram account is or was connected. */
  readWasConnected: (signal: AbortSignal) => Promise<boolean>;
  logger: Page["logger"];
};

/** The next step after the first payment: connecting Telegram. Hidden until it is known that none was connected. */
export function ConnectOffer({ readWasConnected, logger }: ConnectOfferProps) {
  const { value } = useReading({ read: readWasConnected, what: "whether Telegram was connected", logger });
  if (value !== false) return null;
  return (
    <Banner
      tone="good"
      actions={
        <Link href="/connect-telegram" className={buttonClass()}>
          {t`Connect Telegram`}
        </Link>
      }
    >
      {t`Next, connect your Telegram account. People who write to you become leads.`}
    </Banner>
  );
}
