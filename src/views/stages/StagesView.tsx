import { Plus } from "lucide-react";
import {
  selectHasEdits,
  selectHasFailed,
  selectIsEditable,
  selectIsLoading,
  selectIsSaving,
  selectRefusal,
  selectRows,
  useStages,
  useStagesEvents,
} from "../../machines/stages/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StagesTable } from "./StagesTable.tsx";
import css from "./StagesView.module.css";

export function StagesView() {
  const isLoading = useStages(selectIsLoading);
  const hasFailed = useStages(selectHasFailed);
  const isSaving = useStages(selectIsSaving);
  const isEditable = useStages(selectIsEditable);
  const hasEdits = useStages(selectHasEdits);
  const hasRows = useStages(selectRows).length > 0;
  const refusal = useStages(selectRefusal);
  const { addRow, save, reload } = useStagesEvents();

  return (
    <>
      <PageHeader
        title="Manage Stages"
        subtitle="Leads move forward when their messages hold a stage’s keywords."
        actions={
          <>
            <Button onClick={addRow} disabled={!isEditable}>
              <Plus className={css["icon"]} aria-hidden="true" />
              Add Stage
            </Button>
            <Button variant="primary" onClick={save} disabled={!isEditable && !isSaving} isPending={isSaving}>
              {isSaving ? "Saving..." : "Save Changes"}
            </Button>
          </>
        }
      />
      <p className={css["status"]} role="status">
        {isLoading ? "Loading stages..." : hasEdits && !isSaving && "Unsaved changes"}
      </p>
      {refusal !== null && (
        <div className={css["refusal"]}>
          <Banner tone="bad">{refusal}</Banner>
        </div>
      )}
      {hasFailed ? (
        <Banner tone="bad" actions={<Button onClick={reload}>Try again</Button>}>
          Failed to load stages
        </Banner>
      ) : (
        (hasRows || !isLoading) && <StagesTable />
      )}
      {isLoading && !hasRows && (
        <div className={css["skeletons"]}>
          {["head", "first", "second", "third"].map((row) => (
            <Skeleton key={row} height="3.25rem" />
          ))}
        </div>
      )}
    </>
  );
}
