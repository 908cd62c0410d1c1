import { useLingui } from "@lingui/react/macro";
import { Banner } from "../../ui/Banner.tsx";
import { Box } from "../../ui/layout.tsx";

/** Says on every screen that the browser is offline. */
export const OfflineBanner = () => {
  const { t } = useLingui();
  return (
    <Box after={5}>
      <Banner tone="warn">{t`You are offline. What you type is kept.`}</Banner>
    </Box>
  );
};
