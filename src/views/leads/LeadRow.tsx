import { useEffect, useRef } from "react";
import type { Lead } from "../../../domain/lead.ts";
import type { Stage } from "../../../domain/stage.ts";
import {
  selectIsAwaitingReply,
  selectSentCount,
  selectStageId,
  useLeadRow,
  useLeadRowEvents,
} from "../../machines/lead-row/index.ts";
import { dateText } from "../../machines/kit/format.ts";
import { Badge } from "../../ui/Badge.tsx";
import { FollowupCell } from "./FollowupCell.tsx";
import css from "./LeadsTable.module.css";
import { NotesCell } from "./NotesCell.tsx";
import { StageCell } from "./StageCell.tsx";

type LeadRowProps = { lead: Lead; stages: readonly Stage[]; stepsByStage: Readonly<Record<string, number>> };

/** One lead; it stands inside its own LeadRowProvider and hands it each newer reading. */
export function LeadRow({ lead, stages, stepsByStage }: LeadRowProps) {
  const { refreshLead } = useLeadRowEvents();
  const seen = useRef(lead);
  useEffect(() => {
    if (seen.current === lead) return;
    seen.current = lead;
    refreshLead(lead);
  }, [lead, refreshLead]);

  const stageId = useLeadRow(selectStageId);
  const sentCount = useLeadRow(selectSentCount);
  const isAwaitingReply = useLeadRow(selectIsAwaitingReply);
  const total = stageId === null ? 0 : (stepsByStage[stageId] ?? 0);

  return (
    <tr className={css["row"]}>
      <td className={css["cell"]} data-label="Date">
        {dateText(lead.created_at) ?? "-"}
      </td>
      <td className={css["cell"]} data-label="Name">
        <span className={css["name"]} dir="auto" title={lead.name ?? undefined}>
          {lead.name || "-"}
        </span>
      </td>
      <td className={css["cell"]} data-label="Username">
        <span className={css["username"]} dir="auto" title={lead.username ?? undefined}>
          {lead.username || "-"}
        </span>
      </td>
      <td className={css["cell"]} data-label="Stage">
        <StageCell stages={stages} />
      </td>
      <td className={css["cell"]} data-label="Follow-ups">
        {sentCount}/{total}
      </td>
      <td className={css["cell"]} data-label="Awaiting Reply">
        <Badge tone={isAwaitingReply ? "warn" : "neutral"}>{isAwaitingReply ? "Yes" : "No"}</Badge>
      </td>
      <td className={css["cell"]} data-label="Notes">
        <NotesCell />
      </td>
      <td className={css["cell"]} data-label="Actions">
        <FollowupCell />
      </td>
    </tr>
  );
}
