import {
  ArchiveProvider,
  type createArchive,
  endWords,
  progressWords,
  selectArchive,
  selectIsDownloading,
  selectIsLoading,
  selectIsRunning,
  selectIsSending,
  selectUnread,
  useArchive,
  useArchiveEvents,
  useCanArchive,
} from "../../machines/archive/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { Field } from "../../ui/Field.tsx";
import { handFocusToHeading } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import css from "./ArchiveCard.module.css";

export type ArchiveLogic = ReturnType<typeof createArchive>;

/** Everything as a file for other programs, and such a file brought into an empty account. */
export function ArchiveCard({ logic }: { logic: ArchiveLogic }) {
  return (
    <ArchiveProvider logic={logic}>
      <Card className={css["card"]} aria-labelledby="archive-title">
        <h2 id="archive-title" className={css["title"]}>
          Move your data
        </h2>
        <ArchiveParts />
      </Card>
    </ArchiveProvider>
  );
}

export function ArchiveParts() {
  const isLoading = useArchive(selectIsLoading);
  const unread = useArchive(selectUnread);
  const isRunning = useArchive(selectIsRunning);
  const { retry } = useArchiveEvents();
  if (isLoading) return <Skeleton height="8rem" />;
  if (unread !== null) return <NotRead what={unread} onRetry={retry} />;
  return isRunning ? <Progress /> : <Offer />;
}

function Offer() {
  const { job, problem } = useArchive(selectArchive);
  const isDownloading = useArchive(selectIsDownloading);
  const canDownload = useCanArchive({ type: "download.request" });
  const { requestDownload } = useArchiveEvents();
  const ended = endWords(job);
  return (
    <>
      <p className={css["hint"]}>
        One zip of tables that any spreadsheet opens, with your pictures and videos: leads, messages, stages,
        follow-ups, tags, fields and history.
      </p>
      <Button isPending={isDownloading} isResting={!canDownload && !isDownloading} onClick={requestDownload}>
        Download everything (zip)
      </Button>
      <ImportForm />
      <FormProblem>{problem}</FormProblem>
      {ended !== null && (
        <p className={css["hint"]} role="status">
          {ended}
        </p>
      )}
    </>
  );
}

function ImportForm() {
  const isSending = useArchive(selectIsSending);
  const canChoose = useCanArchive({ type: "file.choose", file: null });
  const canStart = useCanArchive({ type: "import.start" });
  const { chooseFile, startImport } = useArchiveEvents();
  return (
    <form
      // It goes while what it handed over is brought in.
      ref={handFocusToHeading}
      className={css["form"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        startImport();
      }}
    >
      <Field
        label="Zip file"
        description="A zip downloaded here or from another Leadloom. The account must still be empty. Nothing is sent because of it."
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".zip,application/zip"
            disabled={!canChoose}
            // A file that was made anew under its name is chosen anew as well.
            onClick={({ currentTarget }) => {
              if (currentTarget.value === "") return;
              currentTarget.value = "";
              chooseFile(null);
            }}
            onChange={(event) => chooseFile(event.target.files?.[0] ?? null)}
          />
        )}
      </Field>
      <Button type="submit" isPending={isSending} isResting={!canStart && !isSending}>
        {isSending ? "Sending and checking…" : "Bring an export in"}
      </Button>
    </form>
  );
}

function Progress() {
  const { job, isBehind } = useArchive(selectArchive);
  if (job === null) return null;
  return (
    <>
      <p role="status">
        Your export is being brought in. You can leave this page; nothing else can be changed until it is done.
      </p>
      <progress
        className={css["bar"]}
        aria-label="Your export coming in"
        max={Math.max(1, job.total)}
        value={job.done}
      />
      <p className={css["hint"]}>{progressWords(job)}</p>
      {isBehind && <p className={css["hint"]}>The progress could not be read just now; it is asked for again.</p>}
    </>
  );
}
