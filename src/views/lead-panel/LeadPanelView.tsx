import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { LeadDetail } from "../../../domain/lead.ts";
import type { Stage } from "../../../domain/stage.ts";
import { LeadPanel, type Panel, selectRow } from "../../machines/lead-panel/lead-panel.machine.ts";
import {
  type LeadRowRef,
  type RowState,
  type SendToRow,
  useLeadRow,
  useSendToRow,
} from "../../machines/lead-row/lead-row.machine.ts";
import { Skeleton } from "../../ui/Loading.tsx";
import { VisuallyHidden, Note, Row, Stack } from "../../ui/layout.tsx";
import { dateText } from "../../language/format.ts";
import { optedOutMark } from "../leads/OptedOut.tsx";
import { NotesCell } from "../leads/NotesCell.tsx";
import { StageCell } from "../leads/StageCell.tsx";
import { NextStep } from "./NextStep.tsx";
import { ReadProblems } from "../shell/ReadProblems.tsx";
import { StoryList } from "./StoryList.tsx";

/** The panel beside a conversation: stage, next step, notes and history. */
export function LeadPanelView({ renderTagsAndFields }: { renderTagsAndFields: (lead: LeadDetail) => ReactNode }) {
  const [chart, send] = LeadPanel.use();
  const { panel } = chart.context;
  const row = selectRow(chart);
  const problems = <ReadProblems chart={chart} send={send} />;
  if (chart.hasTag("loadFailed"))
    return (
      <Stack gap={5} pad={4}>
        {problems}
      </Stack>
    );
  if (panel === null) {
    return (
      <Stack gap={5} pad={4}>
        <VisuallyHidden>{t`Loading the lead…`}</VisuallyHidden>
        <Skeleton width="60%" height="1.5rem" />
        <Skeleton height="2.5rem" />
        <Skeleton height="4rem" />
        <Skeleton height="8rem" />
      </Stack>
    );
  }
  // The conversation says that the lead was deleted.
  if (panel.lead === null || row === undefined)
    return (
      chart.hasTag("outdated") && (
        <Stack gap={5} pad={4}>
          {problems}
        </Stack>
      )
    );
  return (
    <Stack gap={5} pad={4}>
      {problems}
      <Known panel={panel} lead={panel.lead} row={row} />
      {renderTagsAndFields(panel.lead)}
      <section aria-labelledby="lead-story">
        <Row wraps align="baseline" justify="between" gap={[0, 3]} size="sm">
          <Note as="h2" after={2} size="xs" id="lead-story">
            {t`Story`}
          </Note>
          <Link href={`/activity?lead_id=${encodeURIComponent(panel.lead.id)}`}>{t`All sends to this person`}</Link>
        </Row>
        <StoryList stages={panel.stages} />
      </section>
    </Stack>
  );
}

const untouchable = () => {
  throw new Error("the lead of a panel has its chart from the beginning");
};

function Known({ panel, lead, row: ref }: { panel: Panel; lead: NonNullable<Panel["lead"]>; row: LeadRowRef }) {
  const row = useLeadRow(ref, lead, panel.steps);
  const send = useSendToRow(lead.id, ref, untouchable);
  return (
    <>
      <header>
        <h2 dir="auto">{lead.name || "-"}</h2>
        <Note>
          {lead.username && (
            <>
              <bdi>@{lead.username}</bdi> ·{" "}
            </>
          )}
          {t`Lead since ${{ createdAt: dateText(lead.created_at) ?? "-" }}`}
        </Note>
        {optedOutMark(lead)}
      </header>
      <StagePart row={row} stages={panel.stages} send={send} enteredAt={lead.stage_entered_at} />
      <NextStep lead={lead} row={row} panel={panel} send={send} />
      <section aria-labelledby="lead-notes">
        <Note as="h2" after={2} size="xs" id="lead-notes">
          {t`Notes`}
        </Note>
        <NotesCell row={row} isTouched send={send} isRoomy />
      </section>
    </>
  );
}

type StagePartProps = { row: RowState; stages: readonly Stage[]; send: SendToRow; enteredAt: string | null };

function StagePart({ row, stages, send, enteredAt }: StagePartProps) {
  const day = dateText(enteredAt);
  return (
    <section aria-labelledby="lead-stage" data-shortcut="stage">
      <Note as="h2" after={2} size="xs" id="lead-stage">
        {t`Stage`}
      </Note>
      <StageCell row={row} stages={stages} send={send} />
      {day !== null && row.stageState === "shown" && <Note>{t`since ${day}`}</Note>}
    </section>
  );
}
