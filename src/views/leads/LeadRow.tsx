import { memo } from "react";
import { type Lead, isAwaitingReply } from "../../../domain/lead.ts";
import type { Stage } from "../../../domain/stage.ts";
import { dateText, hourText } from "../../machines/kit/format.ts";
import {
  type LeadRowRef,
  type StepsByStage,
  stepCount,
  useLeadRow,
  useLeadRowVerbs,
} from "../../machines/lead-row/index.ts";
import { Badge } from "../../ui/Badge.tsx";
import { FollowupCell } from "./FollowupCell.tsx";
import { LeadName } from "./LeadName.tsx";
import css from "./LeadsTable.module.css";
import { NotesCell } from "./NotesCell.tsx";
import { StageCell } from "./StageCell.tsx";

type LeadRowProps = {
  lead: Lead;
  stages: readonly Stage[];
  steps: StepsByStage;
  /** The row's chart, once somebody has touched it. */
  rowRef: LeadRowRef | undefined;
  onTouch: (leadId: string) => LeadRowRef;
};

/** One lead: data to look at until somebody touches it. */
export const LeadRow = memo(function LeadRow({ lead: reading, stages, steps, rowRef, onTouch }: LeadRowProps) {
  const row = useLeadRow(rowRef, reading, steps);
  const verbs = useLeadRowVerbs(reading.id, rowRef, onTouch);
  const { lead } = row;
  const isAwaiting = isAwaitingReply(lead);
  return (
    <tr className={css["row"]}>
      <td className={css["cell"]} data-label="Date">
        <span className={css["day"]}>{dateText(lead.created_at) ?? "-"}</span>{" "}
        <span className={css["hour"]}>{hourText(lead.created_at)}</span>
      </td>
      <td className={css["cell"]} data-label="Name">
        <LeadName lead={lead} />
      </td>
      <td className={css["cell"]} data-label="Username">
        <span className={css["username"]} dir="auto" title={lead.username ?? undefined}>
          {lead.username || "-"}
        </span>
      </td>
      <td className={css["cell"]} data-label="Stage">
        <StageCell row={row} stages={stages} verbs={verbs} />
      </td>
      <td className={css["cell"]} data-label="Follow-ups">
        {lead.followup_order_sent}/{stepCount(lead, steps)}
      </td>
      <td className={css["cell"]} data-label="Awaiting Reply">
        <Badge tone={isAwaiting ? "warn" : "neutral"}>{isAwaiting ? "Yes" : "No"}</Badge>
      </td>
      <td className={css["cell"]} data-label="Notes">
        <NotesCell row={row} isTouched={rowRef !== undefined} verbs={verbs} />
      </td>
      <td className={css["cell"]} data-label="Actions">
        <FollowupCell row={row} steps={steps} verbs={verbs} />
      </td>
    </tr>
  );
});
