import { fillPlaceholders } from "../../../domain/placeholders.ts";
import type { Stage } from "../../../domain/stage.ts";
import {
  type Panel,
  selectOutdated,
  selectPanel,
  selectRow,
  selectUnread,
  stepWords,
  useLeadPanel,
  useLeadPanelEvents,
} from "../../machines/lead-panel/index.ts";
import {
  type LeadRowRef,
  type LeadRowVerbs,
  type RowState,
  type StepsByStage,
  nextStep,
  stepCount,
  useLeadRow,
  useLeadRowVerbs,
} from "../../machines/lead-row/index.ts";
import { Button } from "../../ui/Button.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { dateText } from "../../machines/kit/format.ts";
import { NotesCell } from "../leads/NotesCell.tsx";
import { StageCell } from "../leads/StageCell.tsx";
import css from "./LeadPanel.module.css";
import { StoryList } from "./StoryList.tsx";

/** What stands beside a lead's conversation: stage, next step, notes and story. */
export function LeadPanel() {
  const panel = useLeadPanel(selectPanel);
  const row = useLeadPanel(selectRow);
  const unread = useLeadPanel(selectUnread);
  const outdated = useLeadPanel(selectOutdated);
  const { retry } = useLeadPanelEvents();
  if (unread !== null) {
    return (
      <div className={css["panel"]}>
        <NotRead what={unread} onRetry={retry} />
      </div>
    );
  }
  if (panel === null) {
    return (
      <div className={css["panel"]}>
        <VisuallyHidden>Loading the lead…</VisuallyHidden>
        <Skeleton width="60%" height="1.5rem" />
        <Skeleton height="2.5rem" />
        <Skeleton height="4rem" />
        <Skeleton height="8rem" />
      </div>
    );
  }
  const mark = outdated !== null && <NotRead what={outdated} isOutdated onRetry={retry} />;
  // Who is gone is told by the conversation.
  if (panel.lead === null || row === undefined) return mark && <div className={css["panel"]}>{mark}</div>;
  return (
    <div className={css["panel"]}>
      {mark}
      <Known panel={panel} lead={panel.lead} row={row} />
      <section aria-labelledby="lead-story">
        <h2 id="lead-story" className={css["heading"]}>
          Story
        </h2>
        <StoryList stages={panel.stages} />
      </section>
    </div>
  );
}

const untouchable = () => {
  throw new Error("the lead of a panel has its chart from the beginning");
};

function Known({ panel, lead, row: ref }: { panel: Panel; lead: NonNullable<Panel["lead"]>; row: LeadRowRef }) {
  const row = useLeadRow(ref, lead, panel.steps);
  const verbs = useLeadRowVerbs(lead.id, ref, untouchable);
  return (
    <>
      <header>
        <h2 className={css["name"]} dir="auto">
          {lead.name || "-"}
        </h2>
        <p className={css["known"]}>
          {lead.username && (
            <>
              <bdi>@{lead.username}</bdi> ·{" "}
            </>
          )}
          {`Lead since ${dateText(lead.created_at) ?? "-"}`}
        </p>
      </header>
      <StagePart row={row} stages={panel.stages} verbs={verbs} enteredAt={lead.stage_entered_at} />
      <NextPart
        row={row}
        steps={panel.steps}
        stages={panel.stages}
        words={stepWords(
          { ...lead, stage_id: row.lead.stage_id },
          nextStep(row.lead, panel.steps),
          stepCount(row.lead, panel.steps),
        )}
        verbs={verbs}
      />
      <section aria-labelledby="lead-notes">
        <h2 id="lead-notes" className={css["heading"]}>
          Notes
        </h2>
        <NotesCell row={row} isTouched verbs={verbs} isRoomy />
      </section>
    </>
  );
}

type StagePartProps = { row: RowState; stages: readonly Stage[]; verbs: LeadRowVerbs; enteredAt: string | null };

function StagePart({ row, stages, verbs, enteredAt }: StagePartProps) {
  const day = dateText(enteredAt);
  return (
    <section aria-labelledby="lead-stage" data-shortcut="stage">
      <h2 id="lead-stage" className={css["heading"]}>
        Stage
      </h2>
      <StageCell row={row} stages={stages} verbs={verbs} />
      {day !== null && row.stageState === "shown" && <p className={css["known"]}>since {day}</p>}
    </section>
  );
}

const OUTCOMES = { sent: "Follow-up sent!", refused: "Failed to send.", unanswered: "Error occurred." };

type NextPartProps = {
  row: RowState;
  steps: StepsByStage;
  stages: readonly Stage[];
  words: string;
  verbs: LeadRowVerbs;
};

function NextPart({ row, steps, stages, words, verbs }: NextPartProps) {
  const { followupState: state, refusal, canSend, lead } = row;
  const template = nextStep(lead, steps);
  const stage = stages.find(({ id }) => id === lead.stage_id)?.name ?? null;
  // As this person would read it.
  const step = template === null ? null : fillPlaceholders(template, { ...lead, stage });
  const isSending = state === "sending";
  return (
    <section aria-labelledby="lead-next">
      <h2 id="lead-next" className={css["heading"]}>
        Next step{" "}
        <span className={css["count"]}>
          {lead.followup_order_sent}/{stepCount(lead, steps)}
        </span>
      </h2>
      {step !== null && (
        <blockquote className={css["step"]} dir="auto" title={step}>
          {step}
        </blockquote>
      )}
      <p id="lead-next-words" className={css["words"]}>
        {words}
      </p>
      {(step !== null || isSending) && (
        <Button
          size="small"
          isPending={isSending}
          isResting={!canSend && !isSending}
          aria-describedby="lead-next-words"
          onClick={verbs.sendFollowup}
        >
          {isSending ? "Sending..." : "Send now"}
        </Button>
      )}
      {state !== "unsent" && !isSending && (
        <p className={css["outcome"]} data-outcome={state} role="status">
          {OUTCOMES[state]} {refusal}
        </p>
      )}
    </section>
  );
}
