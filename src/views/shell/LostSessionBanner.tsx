import { t } from "@lingui/core/macro";
import { Link } from "wouter";
import { momentText } from "../../language/format.ts";
import { Banner } from "../../ui/Banner.tsx";

export type LostSessionBannerProps = {
  /** ISO; empty when not known. */
  since: string;
  /** Whether the current screen is the one that reconnects. */
  isHere: boolean;
};

/** Says on every screen that Telegram ended the session, with a link to reconnect. */
export function LostSessionBanner({ since, isHere }: LostSessionBannerProps) {
  const moment = momentText(since);
  return (
    <Banner after={5} tone="bad" actions={isHere ? undefined : <Link href="/connect-telegram">{t`Reconnect`}</Link>}>
      {moment === null
        ? t`Telegram disconnected. Messages are not arriving.`
        : t`Telegram disconnected on ${moment}. Messages are not arriving.`}
    </Banner>
  );
}
