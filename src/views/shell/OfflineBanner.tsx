import { t } from "@lingui/core/macro";
import { Banner } from "../../ui/Banner.tsx";

/** Says on every screen that the browser is offline. */
export const OfflineBanner = () => {
  return <Banner after={5} tone="warn">{t`You are offline. What you type is kept.`}</Banner>;
};
