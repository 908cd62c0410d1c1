import { Archive, type createArchive, endText, progressText } from "../../machines/archive/archive.machine.ts";
import { selectUnread } from "../../machines/kit/reading.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { Field } from "../../ui/Field.tsx";
import { handFocusToHeading } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import css from "./ArchiveCard.module.css";

/** Everything as a file for other programs, and such a file brought into an empty account. */
export function ArchiveCard({ logic }: { logic: ReturnType<typeof createArchive> }) {
  return (
    <Archive.Provider logic={logic}>
      <Card className={css["card"]} aria-labelledby="archive-title">
        <h2 id="archive-title" className={css["title"]}>
          Move your data
        </h2>
        <ArchiveParts />
      </Card>
    </Archive.Provider>
  );
}

export function ArchiveParts() {
  const [chart, send] = Archive.use();
  const unread = selectUnread(chart);
  if (chart.matches("loading")) return <Skeleton height="8rem" />;
  if (unread !== null) return <NotRead what={unread} onRetry={() => send({ type: "reading.retry" })} />;
  return chart.matches("running") ? <Progress /> : <Offer />;
}

function Offer() {
  const [chart, send] = Archive.use();
  const { job, problem } = chart.context;
  const isDownloading = chart.matches("downloading");
  const download = { type: "download.request" } as const;
  const ended = endText(job);
  return (
    <>
      <p className={css["hint"]}>
        One zip of tables that any spreadsheet opens, with your pictures and videos: leads, messages, stages,
        follow-ups, tags, fields and history.
      </p>
      <Button
        isPending={isDownloading}
        isResting={!chart.can(download) && !isDownloading}
        onClick={() => send(download)}
      >
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
  const [chart, send] = Archive.use();
  const isSending = chart.matches("sending");
  const start = { type: "import.start" } as const;
  const chooseFile = (file: File | null) => send({ type: "file.choose", file });
  return (
    <form
      // It goes while what it handed over is brought in.
      ref={handFocusToHeading}
      className={css["form"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send(start);
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
            disabled={!chart.can({ type: "file.choose", file: null })}
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
      <Button type="submit" isPending={isSending} isResting={!chart.can(start) && !isSending}>
        {isSending ? "Sending and checking…" : "Bring an export in"}
      </Button>
    </form>
  );
}

function Progress() {
  const [{ context }] = Archive.use();
  const { job, isBehind } = context;
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
      <p className={css["hint"]}>{progressText(job)}</p>
      {isBehind && <p className={css["hint"]}>The progress could not be read just now; it is asked for again.</p>}
    </>
  );
}
