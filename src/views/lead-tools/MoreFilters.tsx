import { msg, t } from "@lingui/core/macro";
import { type ComponentType, useState } from "react";
import type { Field } from "../../../domain/field.ts";
import { FIELD_PROBLEMS } from "../../../domain/field-problems.ts";
import type { UiText } from "../../../domain/ui-text.ts";
import type { Tag } from "../../../domain/tag.ts";
import { dayText, exactText } from "../../language/format.ts";
import { Fields, Tags, itemsAs } from "../../machines/catalog/catalog.machine.ts";
import { VALUE_FILTERS, type ValueFilter } from "../../machines/leads/leads.filters.ts";
import { type ListOptions, NO_VALUES } from "../../machines/leads/leads.options.ts";
import { Button } from "../../ui/Button.tsx";
import { DateField, PARTIAL_DATE } from "../../ui/DateField.tsx";
import { AmountField } from "../../ui/DecimalField.tsx";
import { NativeSelect, TextField } from "../../ui/Field.tsx";
import { TagChip } from "../catalog/TagChip.tsx";
import { Grid, Note, Row, Stack } from "../../ui/layout.tsx";
import css from "./LeadTools.module.css";
import { useDraftOver } from "../../ui/hooks.ts";
import { submitting } from "../../ui/form.tsx";
import { useListOptions } from "./use-list-options.ts";

const NONE = { tags: [], fields: {}, values: NO_VALUES };

/** Filters outside of the table's head; leads must match all, once applied. */
export function MoreFilters() {
  const tags = Tags.useSelector(itemsAs<Tag>());
  const fields = Fields.useSelector(itemsAs<Field>());
  const [options, apply] = useListOptions();
  const [draft, setDraft] = useDraftOver(options, JSON.stringify(options));
  const change = (part: Partial<ListOptions>) => setDraft({ ...draft, ...part });
  const submit = submitting(() => {
    if (fields.every(({ id, type }) => isValid(type, draft.fields[id] ?? ""))) apply(draft);
  });
  return (
    <Stack as="form" gap={4} onSubmit={submit}>
      {tags.length > 0 && (
        <Row as="fieldset" wraps gap={[2, 4]}>
          <Note as="legend" after={2}>{t`Tags, all of them`}</Note>
          {tags.map((tag) => (
            <Row as="label" gap={2} key={tag.id}>
              <input
                type="checkbox"
                className={css["tick"]}
                checked={draft.tags.includes(tag.id)}
                onChange={(event) =>
                  change({
                    tags: event.target.checked ? [...draft.tags, tag.id] : draft.tags.filter((id) => id !== tag.id),
                  })
                }
              />
              <TagChip tag={tag} />
            </Row>
          ))}
        </Row>
      )}
      <Grid columns="repeat(auto-fill, minmax(min(100%, 13rem), 1fr))" gap={[3, 4]}>
        {fields.map((field) => (
          <FieldFilter
            key={field.id}
            field={field}
            value={draft.fields[field.id] ?? ""}
            onChange={(value) => change({ fields: { ...draft.fields, [field.id]: value } })}
          />
        ))}
        {VALUE_FILTERS.map((name) => {
          const { label, Control } = VALUE_CONTROLS[name];
          return (
            <Control
              key={name}
              label={t(label)}
              value={draft.values[name]}
              onChange={(value) => change({ values: { ...draft.values, [name]: value } })}
            />
          );
        })}
      </Grid>
      <Row wraps gap={2} className={css["line"]}>
        <Button type="submit" size="small" variant="primary">
          {t`Apply`}
        </Button>
        <Button
          size="small"
          onClick={() => {
            change(NONE);
            apply(NONE);
          }}
        >
          {t`Clear these`}
        </Button>
      </Row>
    </Stack>
  );
}

type ValueProps = { value: string; onChange: (value: string) => void };
type ControlProps = ValueProps & { label: string };

const YesOrNo = ({ label, value, onChange }: ControlProps) => {
  return (
    <NativeSelect label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{t({ message: "All", context: "leads" })}</option>
      <option value="true">{t`Yes`}</option>
      <option value="false">{t`No`}</option>
    </NativeSelect>
  );
};

const VALUE_CONTROLS: Record<ValueFilter, { label: UiText; Control: ComponentType<ControlProps> }> = {
  opted_out: { label: msg`Opted out`, Control: YesOrNo },
  unreachable: { label: msg`Unreachable`, Control: YesOrNo },
};

/** Whether the text is empty or a number that the server reads. */
const isNumber = (text: string) => /^(-?\d+(\.\d+)?)?$/.test(text);

/** Whether a range can be applied: both ends are valid, and the end is not before the start. */
function isValid(type: Field["type"], value: string): boolean {
  const ends = value.split("..");
  if (isReversed(type, value)) return false;
  if (type === "date") return !ends.includes(PARTIAL_DATE);
  return type !== "number" || (ends.length <= 2 && ends.every(isNumber));
}

/** Whether a range's end is before its start. */
function isReversed(type: Field["type"], value: string): boolean {
  const [from = "", to = ""] = value.split("..");
  if (from === "" || to === "") return false;
  return type === "number" ? Number(from) > Number(to) : type === "date" && from > to;
}

/** Text and links match by part, a choice exactly, numbers and days by range. */
function FieldFilter({ field: { name, type, options }, value, onChange }: ValueProps & { field: Field }) {
  const [first = "", last = first] = value.split("..");
  const [typed, setTyped] = useState({ from: first, to: last, range: value });
  if (type === "choice")
    return (
      <NativeSelect label={name} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t({ message: "All", context: "options of a field" })}</option>
        {(options ?? []).map((option) => (
          <option key={option}>{option}</option>
        ))}
      </NativeSelect>
    );
  if (type === "text" || type === "link")
    return (
      <TextField
        label={name}
        dir="auto"
        maxLength={200}
        placeholder={t`Contains`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  // A typed number may contain points, so the ends are not read from the range again.
  const { from, to } = typed.range === value ? typed : { from: first, to: last };
  const change = (ends: { from: string; to: string }) => {
    const range = `${ends.from}..${ends.to}`;
    setTyped({ ...ends, range });
    onChange(range);
  };
  const isRangeReversed = isReversed(type, value);
  const start = {
    label: t`${name} from`,
    value: from,
    onChange: (text: string) => change({ from: text, to }),
  };
  const end = { label: t`${name} to`, value: to, onChange: (text: string) => change({ from, to: text }) };
  const problemOf = (text: string) => (isNumber(text) ? undefined : FIELD_PROBLEMS.number_value());
  return (
    <Grid columns="1fr 1fr" gap={2} className={css["range"]}>
      {type === "number" ? (
        <>
          <AmountField {...start} errorMessage={problemOf(from)} />
          <AmountField
            {...end}
            errorMessage={
              problemOf(to) ??
              (isRangeReversed ? t`Must not be less than ${{ from: exactText(Number(first)) }}.` : undefined)
            }
          />
        </>
      ) : (
        <>
          <DateField {...start} />
          <DateField
            {...end}
            errorMessage={isRangeReversed ? t`Must not be before ${{ from: dayText(from) }}.` : undefined}
          />
        </>
      )}
    </Grid>
  );
}
