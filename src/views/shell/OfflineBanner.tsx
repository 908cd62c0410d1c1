import { useLingui } from "@lingui/react/macro";
import { Banner } from "../../ui/Banner.tsx";

/** Says on every screen that the browser is offline. */
export const OfflineBanner = () => {
  const { t } = useLingui();
  return <Banner after={5} tone="warn">{t`You are offline. What you type is kept.`}</Banner>;
};
