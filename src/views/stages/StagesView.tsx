import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import type { ControlId } from "../../commands/commands.ts";
import { Stages, selectHasEdits, selectIsSaving } from "../../machines/stages/stages.machine.ts";
import { selectOutdated } from "../../machines/kit/loading.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { StagesTable } from "./StagesTable.tsx";
import { Note, Stack } from "../../ui/layout.tsx";
import css from "./StagesTable.module.css";

/** `lab` is shown below the table, once there are stages. */
export function StagesView({ lab }: { lab?: ReactNode }) {
  const isLoading = Stages.useSelector((chart) => chart.hasTag("loading"));
  const hasFailed = Stages.useSelector((chart) => chart.hasTag("loadFailed"));
  const isSaving = Stages.useSelector(selectIsSaving);
  const canAdd = Stages.useCan({ type: "row.add" });
  const canSave = Stages.useCan({ type: "stages.save" });
  const hasEdits = Stages.useSelector(selectHasEdits);
  const hasRows = Stages.useSelector(({ context }) => context.rows).length > 0;
  const refusal = Stages.useSelector(({ context }) => context.refusal);
  const outdated = Stages.useSelector(selectOutdated);
  const send = Stages.useSend();

  return (
    <>
      <PageHeader
        title={t`Manage Stages`}
        subtitle={t`Leads move forward when their messages hold a stage’s keywords.`}
        actions={
          <>
            <Button
              data-command={"stages.add" satisfies ControlId}
              onClick={() => send({ type: "row.add" })}
              disabled={!canAdd}
            >
              <Trans>
                <Plus />
                Add Stage
              </Trans>
            </Button>
            <Button
              variant="primary"
              onClick={() => send({ type: "stages.save" })}
              disabled={!canSave}
              isPending={isSaving}
            >
              {isSaving ? t`Saving...` : t`Save Changes`}
            </Button>
          </>
        }
      />
      <Note className={css["status"]} role="status">
        {isLoading ? t`Loading stages...` : hasEdits && !isSaving && t`Unsaved changes`}
      </Note>
      {refusal !== null && (
        <Banner after={3} tone="bad">
          {refusal}
        </Banner>
      )}
      {outdated !== null && <LoadError what={outdated} isOutdated onRetry={() => send({ type: "reading.retry" })} />}
      {hasFailed ? (
        <Banner tone="bad" actions={<Button onClick={() => send({ type: "reading.retry" })}>{t`Try again`}</Button>}>
          {t`Failed to load stages`}
        </Banner>
      ) : (
        (hasRows || !isLoading) && <StagesTable />
      )}
      {hasRows && !hasFailed && lab}
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
