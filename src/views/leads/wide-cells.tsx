import { type ReactNode, createContext, use } from "react";
import type { Lead } from "../../../domain/lead.ts";
import { momentText } from "../../language/format.ts";
import type { WideColumn } from "../../machines/leads/leads.options.ts";
import { useNow } from "../../ui/hooks.ts";
import { excerptOf } from "../conversation/names.ts";
import { shortTime, waitedText } from "../conversation/times.ts";
import css from "./LeadsTable.module.css";

const Now = createContext(0);

/** Provides the time to the cells without re-rendering rows. */
export const NowProvider = ({ children }: { children: ReactNode }) => <Now value={useNow()}>{children}</Now>;

export const wideCell = (column: WideColumn, label: string, lead: Lead): ReactNode => (
  <td key={column} data-column={column} data-label={label}>
    {column === "last_message_at" ? <LastMessage lead={lead} /> : <Waiting since={lead.waiting_since ?? null} />}
  </td>
);

/** The conversation's last message and its time; only the time if the text is unknown. */
function LastMessage({ lead: { last_message: last, last_message_at } }: { lead: Lead }) {
  const now = use(Now);
  const at = last?.at ?? last_message_at;
  if (at === null) return "-";
  const { text, dir } = last ? excerptOf(last) : { text: "", dir: undefined };
  return (
    <div className={css["last"]} dir={dir} title={`${momentText(at)}\n${text}`}>
      <time dateTime={at}>{shortTime(at, now)}</time> {text}
    </div>
  );
}

function Waiting({ since }: { since: string | null }) {
  const now = use(Now);
  if (since === null) return "-";
  return (
    <span className={css["waiting"]} title={momentText(since) ?? undefined}>
      {/* Keeps the number together with its unit. */}
      {waitedText(since, now).replace(/ (?=\S+$)/, "\u00a0")}
    </span>
  );
}
