import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import type { Page } from "../../machines/kit/page.ts";
import { translate } from "#language";
import { Archive, createArchive, endText, progressText } from "../../machines/archive/archive.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Stack, Text } from "../../ui/layout.tsx";
import { FileField } from "../../ui/FileInput.tsx";
import { passFocusOnRemoval, passFocusToHeading } from "../../ui/lost-focus.ts";
import { FormProblem, submitting } from "../../ui/form.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import css from "./ArchiveCard.module.css";
import { ReadProblems } from "../shell/ReadProblems.tsx";

/** Exports all data as a file, and imports such a file into an empty account. */
export default function ArchiveCard({ page }: { page: Page }) {
  const logic = useMemo(() => createArchive(page), [page]);
  return (
    <Archive.Provider logic={logic}>
      <Stack
        max="44rem"
        as={Card}
        justify="start"
        gap={4}
        before={5}
        className={css["card"]}
        aria-labelledby="archive-title"
      >
        <h2 id="archive-title">{t`Move your data`}</h2>
        <ArchiveParts />
      </Stack>
    </Archive.Provider>
  );
}

export function ArchiveParts() {
  const [chart, send] = Archive.use();
  if (chart.matches("loading")) return <Skeleton height="8rem" />;
  if (chart.hasTag("loadFailed")) return <ReadProblems chart={chart} send={send} />;
  return chart.matches("running") || chart.matches("cancelling") ? <Progress /> : <Offer />;
}

function Offer() {
  const [chart, send] = Archive.use();
  const { job, problem } = chart.context;
  const isDownloading = chart.matches("downloading");
  const download = { type: "download.request" } as const;
  const ended = endText(job);
  return (
    <>
      <Text tone="muted">
        {t`One zip of tables that any spreadsheet opens, with your pictures and videos: leads, messages, stages, follow-ups, tags, fields and history.`}
      </Text>
      <Button isPending={isDownloading} isAriaDisabled={!chart.can(download)} onClick={() => send(download)}>
        {t`Download everything (zip)`}
      </Button>
      <ImportForm />
      <FormProblem>{problem}</FormProblem>
      {ended !== null && (
        <Text tone="muted" role="status">
          {translate(ended)}
        </Text>
      )}
    </>
  );
}

function ImportForm() {
  const [chart, send] = Archive.use();
  const isSending = chart.matches("sending");
  const start = { type: "import.start" } as const;
  return (
    <Stack
      as="form"
      justify="start"
      gap={3}
      // The control is removed during the import.
      ref={passFocusToHeading}
      className={css["form"]}
      noValidate
      onSubmit={submitting(() => send(start))}
    >
      <FileField
        label={t`Zip file`}
        description={t`A zip downloaded here or from another Leadloom. The account must still be empty. Nothing is sent because of it.`}
        accept=".zip,application/zip"
        disabled={!chart.can({ type: "file.choose", file: null })}
        onFile={(file) => send({ type: "file.choose", file })}
      />
      <Button type="submit" isPending={isSending} isAriaDisabled={!chart.can(start)}>
        {isSending ? t`Sending and checking…` : t`Import an export`}
      </Button>
    </Stack>
  );
}

function Progress() {
  const [chart, send] = Archive.use();
  const { job, isBehind, problem } = chart.context;
  const isCancelling = chart.matches("cancelling");
  if (job === null) return null;
  return (
    <>
      <p role="status">
        {job.is_removing
          ? t`The import was stopped, and what it has imported is being removed. You can leave this page; nothing else can be changed until it is done.`
          : t`Your export is being imported. You can leave this page; nothing else can be changed until it is done.`}
      </p>
      {!job.is_removing && (
        <progress
          className={css["bar"]}
          aria-label={t`Import of your export`}
          max={Math.max(1, job.total)}
          value={job.done}
        />
      )}
      {!job.is_removing && <Text tone="muted">{translate(progressText(job))}</Text>}
      {isBehind && <Text tone="muted">{t`The progress could not be read just now; it is asked for again.`}</Text>}
      <FormProblem>{problem}</FormProblem>
      {!job.is_removing && (
        <Button ref={passFocusOnRemoval} onClick={() => send({ type: "job.cancel" })} isPending={isCancelling}>
          {isCancelling ? t`Cancelling...` : t`Cancel import`}
        </Button>
      )}
    </>
  );
}
