import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import {
  selectHasEdits,
  selectIsLoading,
  selectIsSaving,
  selectIsUnread,
  selectRefusal,
  selectRows,
  useCanStages,
  useStages,
  useStagesEvents,
} from "../../machines/stages/index.ts";
import { selectOutdated } from "../../machines/kit/reading.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StagesTable } from "./StagesTable.tsx";
import { Box, Note, Stack } from "../../ui/layout.tsx";
import css from "./StagesView.module.css";

/** `lab` stands under the table, once there are stages. */
export function StagesView({ lab }: { lab?: ReactNode }) {
  const isLoading = useStages(selectIsLoading);
  const isUnread = useStages(selectIsUnread);
  const isSaving = useStages(selectIsSaving);
  const canAdd = useCanStages({ type: "row.add" });
  const canSave = useCanStages({ type: "stages.save" });
  const hasEdits = useStages(selectHasEdits);
  const hasRows = useStages(selectRows).length > 0;
  const refusal = useStages(selectRefusal);
  const outdated = useStages(selectOutdated);
  const { addRow, save, retryReading } = useStagesEvents();

  return (
    <>
      <PageHeader
        title="Manage Stages"
        subtitle="Leads move forward when their messages hold a stage’s keywords."
        actions={
          <>
            <Button onClick={addRow} disabled={!canAdd}>
              <Plus className={css["icon"]} aria-hidden="true" />
              Add Stage
            </Button>
            <Button variant="primary" onClick={save} disabled={!canSave && !isSaving} isPending={isSaving}>
              {isSaving ? "Saving..." : "Save Changes"}
            </Button>
          </>
        }
      />
      <Note className={css["status"]} role="status">
        {isLoading ? "Loading stages..." : hasEdits && !isSaving && "Unsaved changes"}
      </Note>
      {refusal !== null && (
        <Box after={3}>
          <Banner tone="bad">{refusal}</Banner>
        </Box>
      )}
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retryReading} />}
      {isUnread ? (
        <Banner tone="bad" actions={<Button onClick={retryReading}>Try again</Button>}>
          Failed to load stages
        </Banner>
      ) : (
        (hasRows || !isLoading) && <StagesTable />
      )}
      {hasRows && !isUnread && lab}
      {isLoading && !hasRows && (
        <Stack gap={3}>
          {["head", "first", "second", "third"].map((row) => (
            <Skeleton key={row} height="3.25rem" />
          ))}
        </Stack>
      )}
    </>
  );
}
