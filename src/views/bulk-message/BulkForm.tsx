import { t } from "@lingui/core/macro";
import type { BulkTarget } from "../../../domain/bulk-target.ts";
import { Send } from "lucide-react";
import { useRef, useState } from "react";
import type { ControlId } from "../../commands/commands.ts";
import { isThrottle } from "../../../domain/bulk.ts";
import { THROTTLE_MAX_SECONDS, THROTTLE_MIN_SECONDS, textLimit } from "../../../domain/limits.ts";
import { BulkJob, mediaProblem, selectAreChosen } from "../../machines/bulk-job/bulk-job.machine.ts";
import { EMPTY_FORM, type bulkDraft } from "../../machines/bulk-job/bulk-job.memory.ts";
import { BULK_TEXTS, NONE_CHOSEN, tooLongText } from "../../machines/bulk-job/bulk-job.texts.ts";
import { numberText, plainNumber } from "../../language/format.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Grid, Stack } from "../../ui/layout.tsx";
import { FormProblem, announced, formText, submitting } from "../../ui/form.tsx";
import { DecimalField } from "../../ui/DecimalField.tsx";
import { NativeSelect, TextArea, Options } from "../../ui/Field.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { MediaField } from "../preview/MediaField.tsx";
import { placeholdersHint, PlaceholderPreview } from "../preview/PlaceholderPreview.tsx";
import css from "./BulkMessageView.module.css";

/** The stored form, and functions that store changes. The file is kept for the life of the page. */
export type FormDraft = {
  typed: ReturnType<typeof bulkDraft>;
  media: () => File | null;
  keepMedia: (file: File | null) => void;
};

/** A number in the language's format as a plain one, and any other text unchanged. */
const plain = (typed: string): string => plainNumber(typed) ?? typed;

export function BulkForm({ draft }: { draft: FormDraft }) {
  const [before] = useState(() => ({ ...EMPTY_FORM, ...draft.typed.read() }));
  const isPreparing = BulkJob.useSelector((chart) => chart.hasTag("busy"));
  const canSend = BulkJob.useCan({ type: "message.send", message: "", throttle: "" });
  const problem = BulkJob.useSelector(({ context }) => context.problem);
  const send = BulkJob.useSend();
  const submit = submitting((text) => {
    if (isPreparing) return;
    send({ type: "message.send", message: text("message"), throttle: plain(text("throttle")) });
  });
  const formRef = useRef<HTMLFormElement>(null);
  const target = BulkJob.useSelector(({ context }) => context.target);
  const keep = () => {
    if (formRef.current === null) return;
    const text = formText(formRef.current);
    // Form data omits a disabled select.
    const stage = formRef.current.elements.namedItem("stage_id");
    const isOtherStage = stage instanceof HTMLSelectElement && stage.value !== valueOf(target);
    const form = {
      message: text("message"),
      throttle: plain(text("throttle")),
      target: isOtherStage ? { kind: "stage" as const, stageId: stage.value } : target,
      mediaName: draft.media()?.name ?? "",
    };
    draft.typed.write(form, EMPTY_FORM);
  };
  return (
    // The screen validates in its own order; native validation would come first with other messages.
    <Grid
      columns="minmax(0, 1fr) minmax(16rem, 20rem)"
      as="form"
      align="start"
      gap={5}
      ref={formRef}
      folds
      onSubmit={submit}
      onInput={keep}
      noValidate
    >
      <Stack as={Card} gap={4} className={css["fields"]}>
        <MessageField before={before.message} isReadOnly={isPreparing} />
        <MediaChoice draft={draft} lostName={before.mediaName} onChosen={keep} />
      </Stack>
      <Stack as={Card} gap={4} className={css["fields"]}>
        <TargetField />
        <ThrottleField before={before.throttle} isReadOnly={isPreparing} />
        <FormProblem>{problem}</FormProblem>
        <Button type="submit" variant="primary" isPending={isPreparing} disabled={!canSend}>
          {!isPreparing && <Send />}
          {t`Send Bulk Message`}
        </Button>
      </Stack>
    </Grid>
  );
}

/** While a message is checked, confirmed and queued, its form cannot be edited. */
type TypedFieldProps = { before: string; isReadOnly: boolean };

function MessageField({ before, isReadOnly }: TypedFieldProps) {
  const media = BulkJob.useSelector(({ context }) => context.media);
  const target = BulkJob.useSelector(({ context }) => context.target);
  const marks = BulkJob.useSelector(({ context }) => context.marks);
  const [text, setText] = useState(before);
  const { length } = text;
  const limit = textLimit(media !== null);
  return (
    <>
      <TextArea
        label={t`Message`}
        data-command={"bulk.message" satisfies ControlId}
        name="message"
        rows={9}
        dir="auto"
        readOnly={isReadOnly}
        defaultValue={before}
        placeholder={t`Write what every chosen lead will receive.`}
        onChange={(event) => setText(event.target.value)}
        description={
          <>
            {media === null
              ? t`${{ length: numberText(length) }} of ${{ limit: numberText(limit) }} characters.`
              : t`${{ length: numberText(length) }} of ${{ limit: numberText(limit) }} characters beside a file.`}{" "}
            {placeholdersHint()}
          </>
        }
        errorMessage={length > limit ? tooLongText(limit) : length === 0 ? marks.message : undefined}
      />
      <PlaceholderPreview text={text} target={target} />
    </>
  );
}

type MediaChoiceProps = { draft: FormDraft; lostName: string; onChosen: () => void };

function MediaChoice({ draft, lostName, onChosen }: MediaChoiceProps) {
  const media = BulkJob.useSelector(({ context }) => context.media);
  const { media: problem } = BulkJob.useSelector(({ context }) => context.marks);
  const canChoose = BulkJob.useCan({ type: "media.choose", file: null });
  const [hasChosen, setHasChosen] = useState(media !== null);
  const send = BulkJob.useSend();
  // The native input keeps a refused file's name: mounting a new one clears it.
  const [attempt, setAttempt] = useState(0);
  return (
    <MediaField
      key={attempt}
      label={t`Image or video (optional)`}
      name="media"
      description={t`Up to 10 MB. It goes out with the message as its caption.`}
      file={media}
      disabled={!canChoose}
      errorMessage={
        problem ??
        (lostName !== "" && !hasChosen
          ? t`The file ${{ name: lostName }} was not kept over the reload. Choose it again.`
          : undefined)
      }
      onFile={(file) => {
        setHasChosen(true);
        send({ type: "media.choose", file });
        if (mediaProblem(file) === null) draft.keepMedia(file);
        else {
          draft.keepMedia(null);
          setAttempt(attempt + 1);
        }
        onChosen();
      }}
    />
  );
}

function TargetField() {
  const stages = BulkJob.useSelector(({ context }) => context.stages);
  const value = BulkJob.useSelector(({ context }) => valueOf(context.target));
  const areChosen = BulkJob.useSelector(selectAreChosen);
  const isEmpty = BulkJob.useSelector((chart) => chart.context.leadCount === 0 && !chart.hasTag("busy"));
  const areKnown = BulkJob.useSelector((chart) => chart.matches({ stages: "loaded" }));
  const haveFailed = BulkJob.useSelector((chart) => chart.matches({ stages: "loadFailed" }));
  const send = BulkJob.useSend();
  const canChoose = BulkJob.useCan({ type: "stage.choose", stageId: "" });
  // The select shows the actual target, even before its name is known.
  const isUnknown = value !== "" && !stages.some(({ id }) => id === value);
  return (
    <>
      <NativeSelect
        label={t`Target stage`}
        name="stage_id"
        value={value}
        disabled={!canChoose}
        onChange={(event) => send({ type: "stage.choose", stageId: event.target.value })}
        errorMessage={announced(isEmpty ? (areChosen ? NONE_CHOSEN : BULK_TEXTS.noLeads) : null)}
      >
        <option value="">{t`All stages`}</option>
        <Options items={stages} />
        {isUnknown && <option value={value}>{areChosen ? t`Those chosen in the list` : unknownLabel(areKnown)}</option>}
      </NativeSelect>
      {haveFailed && <LoadError what={t`the stages`} onRetry={() => send({ type: "reading.retry" })} />}
    </>
  );
}

/** The option for leads chosen in the list; it cannot be chosen here. */
const CHOSEN = "chosen in the list";
const valueOf = (target: BulkTarget): string => (target.kind === "stage" ? target.stageId : CHOSEN);

const unknownLabel = (areKnown: boolean): string => (areKnown ? t`A deleted stage` : t`The stage chosen before`);

function ThrottleField({ before, isReadOnly }: TypedFieldProps) {
  const [typed, setTyped] = useState(before);
  return (
    <DecimalField
      label={t`Throttle (seconds per message)`}
      name="throttle"
      min={THROTTLE_MIN_SECONDS}
      max={THROTTLE_MAX_SECONDS}
      step={0.1}
      readOnly={isReadOnly}
      defaultValue={typed}
      onChange={(event) => setTyped(plain(event.target.value))}
      description={t`Recommended: 0.3–1.0. Slower is safer for your account.`}
      errorMessage={typed.trim() === "" || !isThrottle(Number(typed)) ? BULK_TEXTS.throttleOutOfRange : undefined}
    />
  );
}
