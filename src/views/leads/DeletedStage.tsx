import { useLingui } from "@lingui/react/macro";
import { Banner } from "../../ui/Banner.tsx";
import { Box } from "../../ui/layout.tsx";

/** Says that the filters name a deleted stage. */
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
