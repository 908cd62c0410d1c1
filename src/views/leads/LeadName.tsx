import { Link } from "wouter";
import type { Lead } from "../../../domain/lead.ts";
import css from "./LeadsTable.module.css";

/** A lead's name, which leads to the conversation with the person. */
export function LeadName({ lead }: { lead: Lead }) {
  return (
    <Link
      className={css["name"] ?? ""}
      dir="auto"
      title={lead.name ?? undefined}
      href={`/leads/${encodeURIComponent(lead.id)}`}
      state={INSIDE}
    >
      {lead.name || "-"}
    </Link>
  );
}

/** Says in the history that the page came from within, so that its own Back may go back. */
const INSIDE = { isInside: true };
