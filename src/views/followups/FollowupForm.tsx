import { t } from "@lingui/core/macro";
import { translate } from "#language";
import type { ControlId } from "../../commands/commands.ts";
import { DELAY_MAX_HOURS, DELAY_MIN_HOURS } from "../../../domain/limits.ts";
import { Followups, selectNextOrder, selectOrderNote } from "../../machines/followups/followups.machine.ts";
import { delayInDays, wrongIn } from "../../machines/followups/followups.rows.ts";
import { lengthOf } from "../../machines/composer/composer.attaching.ts";
import { announced, submitting } from "../../ui/form.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card, Grid, Stack } from "../../ui/layout.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { NativeSelect, NumberField, TextArea, Options } from "../../ui/Field.tsx";
import { MediaField } from "../preview/MediaField.tsx";
import { placeholdersHint, PlaceholderPreview } from "../preview/PlaceholderPreview.tsx";

export function FollowupForm() {
  const [chart, send] = Followups.use();
  const { form, stages, formRefusal: refusal } = chart.context;
  const isAdding = chart.matches({ form: "adding" });
  const marks = { ...wrongIn(form), ...chart.context.marks };
  const { note } = lengthOf(form.message, form.media !== null);
  const isReadOnly = !chart.can({ type: "form.change", change: {} });
  const canAdd = chart.can({ type: "form.submit" });
  const changeForm = (change: Partial<typeof form>) => send({ type: "form.change", change });
  const addFollowup = () => send({ type: "form.submit" });

  return (
    <Card aria-labelledby="new-followup">
      <h2 id="new-followup">{t`Add New Follow-up`}</h2>
      <Stack as="form" gap={4} before={4} onSubmit={submitting(addFollowup)} noValidate>
        <NativeSelect
          label={t`Stage`}
          value={form.stageId}
          disabled={isReadOnly}
          errorMessage={marks.stageId}
          onChange={(event) => changeForm({ stageId: event.target.value })}
        >
          <option value="">{t`Select a stage`}</option>
          <Options items={stages} />
        </NativeSelect>
        <Grid columns="1fr 1fr" align="start" gap={3}>
          <NumberField
            label={t`Order`}
            min={1}
            step={1}
            placeholder={String(selectNextOrder(chart))}
            value={form.order}
            readOnly={isReadOnly}
            description={selectOrderNote(chart)}
            errorMessage={marks.order}
            onChange={(event) => changeForm({ order: event.target.value })}
          />
          <NumberField
            label={t`Delay (hours)`}
            min={DELAY_MIN_HOURS}
            max={DELAY_MAX_HOURS}
            step={1}
            value={form.delay}
            readOnly={isReadOnly}
            description={delayInDays(form.delay)}
            errorMessage={marks.delay}
            onChange={(event) => changeForm({ delay: event.target.value })}
          />
        </Grid>
        <TextArea
          label={t`Message`}
          data-command={"followups.add" satisfies ControlId}
          dir="auto"
          rows={4}
          value={form.message}
          readOnly={isReadOnly}
          description={
            note === undefined ? placeholdersHint() : t`${{ length: translate(note) }}. ${{ hint: placeholdersHint() }}`
          }
          errorMessage={marks.message}
          onChange={(event) => changeForm({ message: event.target.value })}
        />
        <PlaceholderPreview text={form.message} target={{ kind: "stage", stageId: form.stageId }} />
        <MediaField
          label={t`Image or video`}
          description={t`Optional, at most 10 MB.`}
          disabled={isReadOnly}
          file={form.media}
          errorMessage={
            announced(marks.media) ??
            (form.lostMedia === "" ? undefined : t`The file ${{ name: form.lostMedia }} was not kept. Choose it again.`)
          }
          onFile={(media) => send({ type: "media.choose", media })}
        />
        {refusal !== null && (
          <Mark retryLabel={t`Try again: add`} onRetry={canAdd ? addFollowup : undefined}>
            {refusal}
          </Mark>
        )}
        <Button isAtStart type="submit" variant="primary" isPending={isAdding} disabled={!canAdd}>
          {t`Add Follow-up`}
        </Button>
      </Stack>
    </Card>
  );
}
