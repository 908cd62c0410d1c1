import { useLingui } from "@lingui/react/macro";
import { Link } from "wouter";
import type { Page } from "../../machines/kit/page.ts";
import { useReading } from "../../machines/reading/reading.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { buttonLook } from "../../ui/Button.tsx";

export type ConnectOfferProps = {
  /** Whether a Telegram account is connected, or was before. */
  readWasConnected: (signal: AbortSignal) => Promise<boolean>;
  logger: Page["logger"];
};

/** The next step after the first payment: connecting Telegram. Shows nothing unless it is known to be open. */
export function ConnectOffer({ readWasConnected, logger }: ConnectOfferProps) {
  const { t } = useLingui();
  const { value } = useReading({ read: readWasConnected, what: "whether Telegram was connected", logger });
  if (value !== false) return null;
  return (
    <Banner
      tone="good"
      actions={
        <Link href="/connect-telegram" className={buttonLook()}>
          {t`Connect Telegram`}
        </Link>
      }
    >
      {t`Next, connect your Telegram account. People who write to you become leads.`}
    </Banner>
  );
}
