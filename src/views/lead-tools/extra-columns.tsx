import { msg } from "@lingui/core/macro";
import { translate } from "#language";
import type { Field } from "../../../domain/field.ts";
import type { Lead, LeadMatch } from "../../../domain/lead.ts";
import { dayText, exactText, momentText } from "../../language/format.ts";
import type { ExtraColumn } from "../../machines/leads/leads.options.ts";
import { TagChip } from "../catalog/TagChip.tsx";
import { Box, Row, Span } from "../../ui/layout.tsx";
import css from "./LeadTools.module.css";

export const ColumnHead = ({ column }: { column: ExtraColumn }) => (
  <th scope="col" className={css["columnHead"]} data-column={column.id}>
    <span dir="auto">{translate(column.name)}</span>
  </th>
);

export function ColumnCell({ column, lead }: { column: ExtraColumn; lead: Lead }) {
  return (
    <td data-label={translate(column.name)} className={css["columnCell"]}>
      <Value column={column} lead={lead} />
    </td>
  );
}

function Value({ column: { id, field }, lead }: { column: ExtraColumn; lead: Lead }) {
  if (id === "tags")
    return (
      <Row as="span" wraps gap={1}>
        {(lead.tags ?? []).map((tag) => (
          <TagChip key={tag.id} tag={tag} />
        ))}
      </Row>
    );
  if (id === "match") return <Found match={lead.match ?? null} />;
  if (id === "stage_entered_at") return momentText(lead.stage_entered_at ?? null) ?? "-";
  return field === null ? null : <FieldText field={field} value={lead.fields?.[field.id] ?? null} />;
}

const PLACES = {
  name: msg({ message: "Name", context: "of a person" }),
  username: msg`Username`,
  notes: msg`Notes`,
  message: msg`Message`,
};

/** An excerpt with the search matches marked. */
function Found({ match }: { match: LeadMatch | null }) {
  if (match === null) return "-";
  const { where, text, start, length } = match;
  return (
    <Box max="22rem">
      <Span tone="muted">{translate(PLACES[where])}: </Span>
      <span dir="auto">
        {text.slice(0, start)}
        {length > 0 && <mark>{text.slice(start, start + length)}</mark>}
        {text.slice(start + length)}
      </span>
    </Box>
  );
}

/** A field's formatted value: grouped numbers, dates, links. */
function FieldText({ field, value }: { field: Field; value: string | number | null }) {
  if (value === null) return "-";
  if (typeof value === "number") return exactText(value);
  if (field.type === "date") return dayText(value);
  if (field.type !== "link") return <span dir="auto">{value}</span>;
  return (
    <a href={value} target="_blank" rel="noopener noreferrer nofollow">
      {value.replace(/^https?:\/\/(www\.)?/, "")}
    </a>
  );
}
