import { Send } from "lucide-react";
import { type FormEvent, useState } from "react";
import {
  CAPTION_MAX_CHARS,
  MESSAGE_MAX_CHARS,
  THROTTLE_DEFAULT_SECONDS,
  THROTTLE_MAX_SECONDS,
  THROTTLE_MIN_SECONDS,
} from "../../../domain/limits.ts";
import {
  BULK_TEXTS,
  selectHasNoLeads,
  selectIsPreparing,
  selectMedia,
  selectProblem,
  selectStageId,
  selectStages,
  useBulkJob,
  useBulkJobEvents,
} from "../../machines/bulk-job/index.ts";
import { numberText } from "../../machines/kit/format.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { FileInput } from "../../ui/FileInput.tsx";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { formText } from "../../ui/form-text.ts";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import css from "./BulkMessageView.module.css";

export function BulkForm() {
  const isPreparing = useBulkJob(selectIsPreparing);
  const problem = useBulkJob(selectProblem);
  const { sendMessage } = useBulkJobEvents();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPreparing) return;
    const text = formText(event.currentTarget);
    sendMessage(text("message"), text("throttle"));
  };
  return (
    // The screen's own checks speak in their own order; the browser's would come first and in other words.
    <form className={css["form"]} onSubmit={submit} noValidate>
      <Card className={css["fields"]}>
        <MessageField />
        <MediaField />
      </Card>
      <Card className={css["fields"]}>
        <TargetField />
        <ThrottleField />
        {problem !== null && <FormProblem>{problem}</FormProblem>}
        <Button type="submit" variant="primary" isPending={isPreparing}>
          {!isPreparing && <Send size={16} aria-hidden="true" />}
          Send Bulk Message
        </Button>
      </Card>
    </form>
  );
}

function MessageField() {
  const media = useBulkJob(selectMedia);
  const [length, setLength] = useState(0);
  const limit = media === null ? MESSAGE_MAX_CHARS : CAPTION_MAX_CHARS;
  return (
    <TextArea
      label="Message"
      name="message"
      rows={9}
      dir="auto"
      placeholder="Write what every chosen lead will receive."
      onChange={(event) => setLength(event.target.value.length)}
      description={`${numberText(length)} of ${numberText(limit)} characters${media === null ? "" : " beside a file"}`}
      errorMessage={
        length > limit ? `Telegram takes ${numberText(limit)} characters at most. Shorten the message.` : undefined
      }
    />
  );
}

function MediaField() {
  const media = useBulkJob(selectMedia);
  const { chooseMedia } = useBulkJobEvents();
  // The native input keeps a refused file's name: it is emptied by mounting a new one.
  const [attempt, setAttempt] = useState(0);
  return (
    <FileInput
      key={attempt}
      label="Image or video (optional)"
      name="media"
      accept="image/*,video/*"
      description="Up to 10 MB. It goes out with the message as its caption."
      file={media}
      removeLabel="Remove file"
      onFile={(file) => {
        if (!chooseMedia(file)) setAttempt(attempt + 1);
      }}
    />
  );
}

function TargetField() {
  const stages = useBulkJob(selectStages);
  const stageId = useBulkJob(selectStageId);
  const hasNoLeads = useBulkJob(selectHasNoLeads);
  const isPreparing = useBulkJob(selectIsPreparing);
  const { chooseStage } = useBulkJobEvents();
  return (
    <NativeSelect
      label="Target stage"
      name="stage_id"
      value={stageId}
      onChange={(event) => chooseStage(event.target.value)}
      errorMessage={hasNoLeads && !isPreparing ? <span role="alert">{BULK_TEXTS.noLeads}</span> : undefined}
    >
      <option value="">All stages</option>
      {stages.map((stage) => (
        <option key={stage.id} value={stage.id}>
          {stage.name}
        </option>
      ))}
    </NativeSelect>
  );
}

const ThrottleField = () => (
  <NumberField
    label="Throttle (seconds per message)"
    name="throttle"
    min={THROTTLE_MIN_SECONDS}
    max={THROTTLE_MAX_SECONDS}
    step={0.1}
    defaultValue={THROTTLE_DEFAULT_SECONDS}
    description="Recommended: 0.3–1.0. Slower is safer for your account."
  />
);
