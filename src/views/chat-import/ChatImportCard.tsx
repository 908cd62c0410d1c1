import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import type { Page } from "../../machines/kit/page.ts";
import { translate } from "#language";
import { IMPORT_MAX_DAYS } from "../../../domain/chat-import.ts";
import {
  ChatImportChart,
  createChatImport,
  endText,
  pauseText,
  progressText,
} from "../../machines/chat-import/chat-import.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card, Note, Stack } from "../../ui/layout.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { NumberField } from "../../ui/Field.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { Switch } from "../../ui/Switch.tsx";
import css from "./ChatImportCard.module.css";
import { submitting } from "../../ui/form.tsx";
import { ReadProblems } from "../shell/ReadProblems.tsx";

export default function ChatImportCard({ page }: { page: Page }) {
  const logic = useMemo(() => createChatImport(page), [page]);
  return (
    <ChatImportChart.Provider logic={logic}>
      <Stack as={Card} justify="start" gap={3} before={4} className={css["card"]}>
        <h2>{t`Import existing chats`}</h2>
        <ChatImportParts />
      </Stack>
    </ChatImportChart.Provider>
  );
}

export function ChatImportParts() {
  const [chart, send] = ChatImportChart.use();
  if (chart.matches("loading")) return <Skeleton height="5rem" />;
  if (chart.hasTag("loadFailed")) return <ReadProblems chart={chart} send={send} />;
  return chart.matches("running") || chart.matches("cancelling") ? <Progress /> : <Order />;
}

function Order() {
  const [chart, send] = ChatImportChart.use();
  const { days, includesContacts, job, problem } = chart.context;
  const isStarting = chart.matches("starting");
  const start = { type: "import.start" } as const;
  const ended = endText(job);
  return (
    <>
      <Note max="40rem">
        {t`People who wrote to you become leads with their true dates. Nothing is sent and nothing is marked as read; follow-ups that would be overdue wait for your approval.`}
      </Note>
      <Stack
        as="form"
        justify="start"
        gap={3}
        className={css["form"]}
        noValidate
        onSubmit={submitting(() => send(start))}
      >
        <NumberField
          label={t`Days to look back`}
          min={1}
          max={IMPORT_MAX_DAYS}
          step={1}
          readOnly={isStarting}
          value={days}
          errorMessage={problem}
          onChange={(event) => send({ type: "days.change", days: event.target.value })}
        />
        <Switch
          label={t`Include people in my contacts`}
          checked={includesContacts}
          disabled={isStarting}
          onChange={(event) => send({ type: "contacts.change", isIncluded: event.target.checked })}
        />
        <Button ref={passFocusOnRemoval} type="submit" isPending={isStarting} isAriaDisabled={!chart.can(start)}>
          {isStarting ? t`Starting...` : t`Import chats`}
        </Button>
      </Stack>
      {ended !== null && (
        <Note max="40rem" role="status">
          {translate(ended)}
        </Note>
      )}
    </>
  );
}

function Progress() {
  const [chart, send] = ChatImportChart.use();
  const { job, problem, isBehind } = chart.context;
  const isCancelling = chart.matches("cancelling");
  if (job === null) return null;
  const pause = pauseText(job);
  return (
    <>
      {problem !== null && <Banner tone="bad">{problem}</Banner>}
      <p role="status">
        {translate(pause) ?? t`Your chats are being read. You can leave this page; the import goes on.`}
      </p>
      {pause === null && <progress className={css["bar"]} aria-label={t`Import of existing chats`} />}
      <Note max="40rem">{translate(progressText(job))}</Note>
      {isBehind && <Note max="40rem">{t`The progress could not be read just now; it is asked for again.`}</Note>}
      <Button ref={passFocusOnRemoval} onClick={() => send({ type: "job.cancel" })} isPending={isCancelling}>
        {isCancelling ? t`Cancelling...` : t`Cancel import`}
      </Button>
    </>
  );
}
