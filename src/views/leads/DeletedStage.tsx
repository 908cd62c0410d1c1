import { t } from "@lingui/core/macro";
import { Banner } from "../../ui/Banner.tsx";

/** Says that the filters name a deleted stage. */
export function DeletedStage() {
  return (
    <Banner after={4} tone="warn">
      {t`The stage of this view was deleted, so it shows no leads. Clear the filter or choose another stage, then save the view again.`}
    </Banner>
  );
}
