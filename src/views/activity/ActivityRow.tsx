import { translate, useLocale } from "#language";
import { msg, t } from "@lingui/core/macro";
import { Filter } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import { sentenceMessage } from "../../../domain/ledger-messages.ts";
import type { LedgerItem } from "../../../domain/ledger.ts";
import type { UiText } from "../../../domain/ui-text.ts";
import { dateText, hourText, momentText, numberText } from "../../language/format.ts";
import { kindName, stepText } from "../../machines/story/story.sends.ts";
import { Ledger } from "../../machines/ledger/ledger.machine.ts";
import { STATE_LABELS } from "../../machines/ledger/ledger.list.ts";
import { Badge } from "../../ui/Badge.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { Note, Row, Text, plainLink, Span } from "../../ui/layout.tsx";
import { classNames } from "../../ui/class-names.ts";
import { tableRow } from "../../ui/Table.tsx";
import css from "./ActivityView.module.css";
import { nameOf } from "../conversation/names.ts";

/** When it was or will be sent; null if it was never tried or planned. */
const outcomeTimeOf = ({ state, settled_at, tried_at, not_before }: LedgerItem): string | null =>
  settled_at ?? (state === "pending" ? not_before : tried_at);

/** Only the time of day if it is the day of planning. */
const momentBeside = (at: string, plannedAt: string): string =>
  (dateText(at) === dateText(plannedAt) ? hourText(at) : momentText(at)) ?? at;

const momentOf = (at: string): string => momentText(at) ?? at;

const timesOf = ({ planned_at: planned, tried_at: tried, settled_at: settled }: LedgerItem): UiText[] => [
  msg`Planned ${{ moment: momentOf(planned) }}`,
  ...(tried === null ? [] : [msg`Tried ${{ moment: momentOf(tried) }}`]),
  ...(settled === null ? [] : [msg`Settled ${{ moment: momentOf(settled) }}`]),
];

/** Whether an item's sentence adds to its state's name. */
const saysMore = ({ words_code: code, state }: LedgerItem): boolean => code !== state;

export const ActivityRow = memo(function ActivityRow({ item }: { item: LedgerItem }) {
  useLocale();
  const { kind, step, excerpt, state, attempts } = item;
  const at = item.planned_at;
  const outcomeAt = outcomeTimeOf(item);
  const { name, tone } = STATE_LABELS[state];
  const message = saysMore(item) ? sentenceMessage(item, momentOf) : null;
  const text = excerpt || step?.preview || "";
  return (
    <tr className={classNames(tableRow, css["row"])}>
      <td className={css["planned"]}>
        <Text
          as="time"
          weight="medium"
          className={css["hour"]}
          dateTime={at}
          title={timesOf(item)
            .map((text) => translate(text))
            .join("\n")}
        >
          {hourText(at) ?? "—"}
        </Text>{" "}
        <Note as="span" size="xs" className={css["day"]}>
          {dateText(at)}
        </Note>
      </td>
      <td className={css["kind"]}>{translate(kindName(kind))}</td>
      <td className={css["lead"]}>
        <Person lead={item.lead} />
      </td>
      <td className={css["message"]}>
        {step !== null && (
          <Note as="span" size="xs" className={css["step"]}>
            {translate(stepText(step))}
          </Note>
        )}
        <Span clamp={4} dir="auto" title={text}>
          {text === "" ? t`Without text` : text}
        </Span>
      </td>
      <td className={css["state"]}>
        <Badge tone={tone}>{translate(name)}</Badge>
        {outcomeAt !== null && (
          <Note as="time" className={css["outcome"]} dateTime={outcomeAt}>
            {state === "pending"
              ? t`Not before ${{ moment: momentBeside(outcomeAt, at) }}`
              : momentBeside(outcomeAt, at)}
          </Note>
        )}
        {message !== null && (
          <Note as="span" className={css["words"]}>
            {translate(message)}
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
  const leadId = Ledger.useSelector(({ context }) => context.filters.leadId);
  const send = Ledger.useSend();
  if (lead === null) return <Span tone="muted">—</Span>;
  const name = nameOf({ name: lead.name, username: null });
  return (
    <Row as="span" align="start" gap={1}>
      <Link href={`/leads/${encodeURIComponent(lead.id)}`} className={classNames(css["name"], plainLink)} dir="auto">
        {name}
      </Link>
      {leadId === "" && (
        <IconButton
          className={css["only"]}
          label={t`Only messages to ${name}`}
          icon={<Filter />}
          onClick={() => send({ type: "filters.change", filters: { leadId: lead.id } })}
        />
      )}
    </Row>
  );
}
