import { t } from "@lingui/core/macro";
import { Link } from "wouter";
import { dateText } from "../../language/format.ts";
import { Banner } from "../../ui/Banner.tsx";

type PaymentBannerProps = {
  /** ISO. */
  endsAt: string;
  /** Whether the current screen is the billing screen. */
  isHere: boolean;
};

/** Reports a failed payment on every screen, with a link to the billing screen. */
export function PaymentBanner({ endsAt, isHere }: PaymentBannerProps) {
  const end = dateText(endsAt) ?? endsAt;
  return (
    <Banner after={5} tone="bad" actions={isHere ? undefined : <Link href="/subscribe">{t`Billing`}</Link>}>
      {t`Your last payment failed. Access ends on ${end} unless it is paid.`}
    </Banner>
  );
}
