import { t } from "@lingui/core/macro";
import { type MouseEvent, memo } from "react";
import { useLocale } from "#language";
import { type Lead, isAwaitingReply } from "../../../domain/lead.ts";
import type { Stage } from "../../../domain/stage.ts";
import { dateText, hourText } from "../../language/format.ts";
import { type LeadRowRef, useLeadRow, useSendToRow } from "../../machines/lead-row/lead-row.machine.ts";
import { type StepsByStage, stepCount } from "../../machines/lead-row/lead-row.steps.ts";
import { WIDE_COLUMNS, type WideColumn } from "../../machines/leads/leads.options.ts";
import { Badge as badge } from "../../ui/Badge.tsx";
import { classNames } from "../../ui/class-names.ts";
import { plainLink } from "../../ui/layout.tsx";
import type { ExtraCells } from "./extra-cells.ts";
import { followupCell } from "./FollowupCell.tsx";
import { optedOutText } from "./OptedOut.tsx";
import { tableRow } from "../../ui/Table.tsx";
import css from "./LeadsTable.module.css";
import { wideCell } from "./wide-cells.tsx";
import { NotesCell as notesCell } from "./NotesCell.tsx";
import { RestingStage as restingStage, StageCell } from "./StageCell.tsx";

const ROW = `${tableRow} ${css["row"]}`;

type LeadRowProps = {
  lead: Lead;
  stages: readonly Stage[];
  steps: StepsByStage;
  rowRef: LeadRowRef | undefined;
  onTouch: (leadId: string) => LeadRowRef;
  /** Opens a lead's page. */
  onOpen: (event: MouseEvent<HTMLAnchorElement>) => void;
  columns: readonly WideColumn[];
  extras: ExtraCells | null;
};

/**
 * One lead's row. Until the user touches it, it holds only plain data. Its cells are called as functions instead of mounted, because the
 * first frame waits for fifty rows.
 */
export const LeadRow = memo(function LeadRow({
  lead: reading,
  stages,
  steps,
  rowRef,
  onTouch,
  onOpen,
  columns,
  extras,
}: LeadRowProps) {
  useLocale();
  const row = useLeadRow(rowRef, reading, steps);
  const send = useSendToRow(reading.id, rowRef, onTouch);
  const { lead } = row;
  const isTouched = rowRef !== undefined;
  const isAwaiting = isAwaitingReply(lead);
  return (
    <tr className={ROW}>
      {extras && <extras.RowStart lead={lead} />}
      <td data-column="date" data-label={t`Date`}>
        <span className={css["day"]}>{dateText(lead.created_at) ?? "-"}</span>
        {` ${hourText(lead.created_at) ?? ""}`}
      </td>
      <td data-column="name" data-label={t({ message: "Name", context: "of a person" })}>
        {leadName({ lead, onOpen })}
      </td>
      <td data-column="username" data-label={t`Username`}>
        <span className={css["username"]} dir="auto" title={lead.username ?? undefined}>
          {lead.username || "-"}
        </span>
      </td>
      <td data-column="stage" data-label={t`Stage`}>
        {isTouched ? <StageCell row={row} stages={stages} send={send} /> : restingStage({ row, stages, send })}
      </td>
      <td data-column="followups" data-label={t`Follow-ups`}>
        {`${lead.followup_order_sent}/${stepCount(lead, steps)}`}
        {lead.opted_out_at != null && (
          <span className={css["optedOut"]} title={optedOutText()}>
            {t`Opted out`}
          </span>
        )}
      </td>
      <td data-column="awaiting_reply" data-label={t`Awaiting Reply`}>
        {badge({ tone: isAwaiting ? "warn" : "neutral", children: isAwaiting ? t`Yes` : t`No` })}
      </td>
      <td data-column="notes" data-label={t`Notes`}>
        {notesCell({ row, isTouched, send })}
      </td>
      {columns.map((column) => wideCell(column, t(WIDE_COLUMNS[column]), lead))}
      {extras && <extras.RowMore lead={lead} />}
      <td data-column="actions" data-label={t`Actions`}>
        {followupCell({ row, steps, send })}
      </td>
    </tr>
  );
});

function leadName({ lead, onOpen }: Pick<LeadRowProps, "lead" | "onOpen">) {
  return (
    <a
      className={classNames(css["name"], plainLink)}
      dir="auto"
      title={lead.name ?? undefined}
      href={`/leads/${encodeURIComponent(lead.id)}`}
      onClick={onOpen}
    >
      {lead.name || "-"}
    </a>
  );
}
