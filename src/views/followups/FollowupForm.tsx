import type { FormEvent } from "react";
import { DELAY_MAX_HOURS, DELAY_MIN_HOURS, MESSAGE_MAX_CHARS } from "../../../domain/limits.ts";
import {
  delayProblem,
  selectFormRefusal,
  selectForm,
  selectIsAdding,
  selectNextOrder,
  selectStages,
  useCanFollowups,
  useFollowups,
  useFollowupsEvents,
} from "../../machines/followups/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { FileInput } from "../../ui/FileInput.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { PlaceholderPreview } from "../preview/PlaceholderPreview.tsx";
import css from "./FollowupsView.module.css";

export function FollowupForm() {
  const form = useFollowups(selectForm);
  const stages = useFollowups(selectStages);
  const nextOrder = useFollowups(selectNextOrder);
  const isAdding = useFollowups(selectIsAdding);
  const refusal = useFollowups(selectFormRefusal);
  const isReadOnly = !useCanFollowups({ type: "form.change", change: {} });
  const canAdd = useCanFollowups({ type: "form.submit" });
  const { changeForm, chooseMedia, addFollowup } = useFollowupsEvents();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    addFollowup();
  };

  return (
    <Card aria-labelledby="new-followup">
      <h2 id="new-followup" className={css["heading"]}>
        Add New Follow-up
      </h2>
      <form className={css["form"]} onSubmit={submit} noValidate>
        <NativeSelect
          label="Stage"
          value={form.stageId}
          disabled={isReadOnly}
          onChange={(event) => changeForm({ stageId: event.target.value })}
        >
          <option value="">Select a stage</option>
          {stages.map((stage) => (
            <option key={stage.id} value={stage.id}>
              {stage.name}
            </option>
          ))}
        </NativeSelect>
        <div className={css["pair"]}>
          <NumberField
            label="Order"
            min={1}
            step={1}
            placeholder={String(nextOrder)}
            value={form.order}
            readOnly={isReadOnly}
            onChange={(event) => changeForm({ order: event.target.value })}
          />
          <NumberField
            label="Delay (hours)"
            min={DELAY_MIN_HOURS}
            max={DELAY_MAX_HOURS}
            step={1}
            value={form.delay}
            readOnly={isReadOnly}
            errorMessage={form.delay.trim() === "" ? undefined : delayProblem(form.delay)}
            onChange={(event) => changeForm({ delay: event.target.value })}
          />
        </div>
        <TextArea
          label="Message"
          dir="auto"
          rows={4}
          maxLength={MESSAGE_MAX_CHARS}
          value={form.message}
          readOnly={isReadOnly}
          onChange={(event) => changeForm({ message: event.target.value })}
        />
        <PlaceholderPreview text={form.message} stageId={form.stageId || null} />
        <FileInput
          label="Image or video"
          description="Optional, at most 10 MB."
          accept="image/*,video/*"
          disabled={isReadOnly}
          file={form.media}
          errorMessage={form.lostMedia === "" ? undefined : `The file ${form.lostMedia} was not kept. Choose it again.`}
          onFile={chooseMedia}
        />
        {refusal !== null && (
          <Mark retryLabel="Try again: add" onRetry={canAdd ? addFollowup : undefined}>
            {refusal}
          </Mark>
        )}
        <Button type="submit" variant="primary" isPending={isAdding} disabled={!canAdd && !isAdding}>
          Add Follow-up
        </Button>
      </form>
    </Card>
  );
}
