import { useLingui } from "@lingui/react/macro";
import { Filter } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import type { LedgerItem } from "../../../domain/ledger.ts";
import { dateText, hourText, inOwnTime, momentText, numberText } from "../../language/format.ts";
import { kindName, stepText } from "../../machines/kit/send-words.ts";
import { Ledger } from "../../machines/ledger/ledger.machine.ts";
import { STATE_WORDS } from "../../machines/ledger/ledger.words.ts";
import { Badge } from "../../ui/Badge.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Note, Row, Text } from "../../ui/layout.tsx";
import css from "./ActivityView.module.css";

/** When it went, or is to go; null before anything happened. */
const outcomeTimeOf = ({ state, settled_at, tried_at, not_before }: LedgerItem): string | null =>
  settled_at ?? (state === "pending" ? not_before : tried_at);

/** The hour alone on the day on which the message was planned. */
const momentBeside = (at: string, plannedAt: string): string =>
  (dateText(at) === dateText(plannedAt) ? hourText(at) : momentText(at)) ?? at;

const timesOf = ({ planned_at, tried_at, settled_at }: LedgerItem): string =>
  [
    ["Planned", planned_at],
    ["Tried", tried_at],
    ["Settled", settled_at],
  ]
    .flatMap(([name, at]) => (at == null ? [] : [`${name} ${momentText(at) ?? at}`]))
    .join("\n");

export const ActivityRow = memo(function ActivityRow({ item }: { item: LedgerItem }) {
  const { t } = useLingui();
  const { kind, step, excerpt, state, words, attempts } = item;
  const at = item.planned_at;
  const outcomeAt = outcomeTimeOf(item);
  const { name, tone } = STATE_WORDS[state];
  const text = excerpt || step?.preview || "";
  return (
    <tr className={css["row"]}>
      <td data-label={t`Planned`}>
        <Text as="time" weight="medium" className={css["hour"]} dateTime={at} title={timesOf(item)}>
          {hourText(at) ?? "—"}
        </Text>{" "}
        <Note as="span" size="xs" className={css["day"]}>
          {dateText(at)}
        </Note>
      </td>
      <td data-label={t`Kind`}>{kindName(kind)}</td>
      <td data-label={t`Lead`}>
        <Person lead={item.lead} />
      </td>
      <td data-label={t`Message`}>
        {step !== null && (
          <Note as="span" size="xs" className={css["step"]}>
            {stepText(step)}
          </Note>
        )}
        <Text as="span" clamp={4} dir="auto" title={text}>
          {text === "" ? t`Without text` : text}
        </Text>
      </td>
      <td data-label={t`State`}>
        <Badge tone={tone}>{name}</Badge>
        {outcomeAt !== null && (
          <Note as="time" className={css["outcome"]} dateTime={outcomeAt}>
            {state === "pending"
              ? t`Not before ${{ moment: momentBeside(outcomeAt, at) }}`
              : momentBeside(outcomeAt, at)}
          </Note>
        )}
        {words !== `${name}.` && (
          <Note as="span" className={css["words"]}>
            {inOwnTime(words)}
          </Note>
        )}
      </td>
      <td data-label={t`Attempts`} className={css["tries"]}>
        {numberText(attempts)}
      </td>
    </tr>
  );
});

function Person({ lead }: { lead: LedgerItem["lead"] }) {
  const { t } = useLingui();
  const leadId = Ledger.useSelector(({ context }) => context.filters.leadId);
  const send = Ledger.useSend();
  if (lead === null)
    return (
      <Text as="span" tone="muted">
        —
      </Text>
    );
  const name = lead.name || "Someone";
  return (
    <Row as="span" align="start" gap={1}>
      <Link href={`/leads/${encodeURIComponent(lead.id)}`} className={css["name"] ?? ""} dir="auto">
        {name}
      </Link>
      {leadId === "" && (
        <IconButton
          className={css["only"]}
          label={t`Only messages to ${name}`}
          icon={<Filter aria-hidden="true" />}
          onClick={() => send({ type: "filters.change", filters: { leadId: lead.id } })}
        />
      )}
    </Row>
  );
}
