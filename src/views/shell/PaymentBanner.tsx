import { useLingui } from "@lingui/react/macro";
import { Link } from "wouter";
import { dateText } from "../../language/format.ts";
import { Banner } from "../../ui/Banner.tsx";

type PaymentBannerProps = {
  /** ISO. */
  endsAt: string;
  /** Whether the current screen is the one that leads to the card provider. */
  isHere: boolean;
};

/** Says on every screen that the last payment failed, with a link to the billing screen. */
export function PaymentBanner({ endsAt, isHere }: PaymentBannerProps) {
  const { t } = useLingui();
  const end = dateText(endsAt);
  return (
    <Banner after={5} tone="bad" actions={isHere ? undefined : <Link href="/subscribe">{t`Billing`}</Link>}>
      {t`Your last payment failed. Access ends on ${end} unless it is paid.`}
    </Banner>
  );
}
