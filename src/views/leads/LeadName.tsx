import type { MouseEvent } from "react";
import type { Lead } from "../../../domain/lead.ts";
import css from "./LeadsTable.module.css";

type LeadNameProps = { lead: Lead; onOpen: (event: MouseEvent<HTMLAnchorElement>) => void };

/** A lead's name, which leads to the conversation with the person. */
export function leadName({ lead, onOpen }: LeadNameProps) {
  return (
    <a
      className={css["name"]}
      dir="auto"
      title={lead.name ?? undefined}
      href={`/leads/${encodeURIComponent(lead.id)}`}
      onClick={onOpen}
    >
      {lead.name || "-"}
    </a>
  );
}
