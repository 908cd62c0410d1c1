import { useLingui } from "@lingui/react/macro";
import { Banner } from "../../ui/Banner.tsx";
import { Box } from "../../ui/layout.tsx";

/** Says that a view, saved or from an address, filters on a stage that is gone. */
export function DeletedStage() {
  const { t } = useLingui();
  return (
    <Box after={4}>
      <Banner tone="warn">
        {t`The stage of this view was deleted, so it shows no leads. Clear the filter or choose another stage, then save the view again.`}
      </Banner>
    </Box>
  );
}
