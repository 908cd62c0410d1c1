import { t } from "@lingui/core/macro";
import { X } from "lucide-react";
import { useState } from "react";
import type { Field } from "../../../domain/field.ts";
import type { Tag } from "../../../domain/tag.ts";
import { Fields, Tags, itemsAs } from "../../machines/catalog/catalog.machine.ts";
import { LeadTagsAndFieldsChart } from "../../machines/lead-tags-and-fields/lead-tags-and-fields.machine.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { FormProblem, submitting } from "../../ui/form.tsx";
import { DateField } from "../../ui/DateField.tsx";
import { AmountField } from "../../ui/DecimalField.tsx";
import { NativeSelect, TextField, Options } from "../../ui/Field.tsx";
import { FieldsMark, TagsMark } from "../catalog/CatalogMarks.tsx";
import { TagChip } from "../catalog/TagChip.tsx";
import { Note, Row, Stack } from "../../ui/layout.tsx";
import css from "./LeadPanel.module.css";

export function LeadTagsAndFields() {
  const [chart, send] = LeadTagsAndFieldsChart.use();
  const problem = chart.context.problems.lead;
  const isExcluding = chart.matches({ exclusion: "excluding" });
  return (
    <>
      <LeadTags />
      <LeadFields />
      <FormProblem>{problem}</FormProblem>
      <Button
        ref={passFocusOnRemoval}
        size="small"
        variant="ghost"
        isAtStart
        className={css["exclude"]}
        isPending={isExcluding}
        isAriaDisabled={!chart.can({ type: "lead.exclude" })}
        onClick={() => send({ type: "lead.exclude" })}
      >
        {t`Not a lead`}
      </Button>
    </>
  );
}

function LeadTags() {
  const [chart, send] = LeadTagsAndFieldsChart.use();
  const { tags } = chart.context.lead;
  const problem = chart.context.problems.tags;
  const all = Tags.useSelector(itemsAs<Tag>());
  const canSet = chart.can({ type: "tags.set", tagIds: [] });
  const setTags = (tagIds: string[]) => send({ type: "tags.set", tagIds });
  const [chosen, setChosen] = useState("");
  const ids = tags.map(({ id }) => id);
  const others = all.filter(({ id }) => !ids.includes(id));
  const next = others.find(({ id }) => id === chosen) ?? others[0];
  return (
    <section aria-labelledby="lead-tags">
      <Note as="h2" after={2} size="xs" id="lead-tags">
        {t`Tags`}
      </Note>
      <Row wraps gap={2}>
        {tags.map((tag) => (
          <TagChip key={tag.id} tag={tag}>
            <IconButton
              className={css["take"]}
              label={t`Take ${{ name: tag.name }} away`}
              icon={<X />}
              ref={passFocusOnRemoval}
              aria-disabled={!canSet || undefined}
              onClick={() => setTags(ids.filter((id) => id !== tag.id))}
            />
          </TagChip>
        ))}
        {tags.length === 0 && <Note as="span">{t({ message: "None", context: "tags" })}</Note>}
      </Row>
      {next !== undefined && (
        <Row wraps gap={2} before={2} ref={passFocusOnRemoval} className={css["add"]} data-fields="small">
          <NativeSelect
            label={t`Tag`}
            isLabelHidden
            value={next.id}
            onChange={(event) => setChosen(event.target.value)}
          >
            <Options items={others} />
          </NativeSelect>
          <Button size="small" isAriaDisabled={!canSet} onClick={() => setTags([...ids, next.id])}>
            {t`Add tag`}
          </Button>
        </Row>
      )}
      <TagsMark />
      <FormProblem>{problem}</FormProblem>
    </section>
  );
}

function LeadFields() {
  const fields = Fields.useSelector(itemsAs<Field>());
  const [chart, send] = LeadTagsAndFieldsChart.use();
  const isSaving = chart.matches({ fields: "saving" });
  const canSave = chart.can({ type: "fields.save" });
  const canCancel = chart.can({ type: "fields.cancel" });
  const problem = chart.context.problems.fields;
  if (fields.length === 0) return <FieldsMark />;
  const submit = submitting(() => send({ type: "fields.save" }));
  return (
    <Stack as="form" gap={3} aria-labelledby="lead-fields" onSubmit={submit} noValidate>
      <Note as="h2" after={2} size="xs" id="lead-fields">
        {t`Fields`}
      </Note>
      {fields.map((field) => (
        <FieldInput key={field.id} field={field} />
      ))}
      <FormProblem>{problem}</FormProblem>
      {(canCancel || isSaving) && (
        <Row wraps gap={2} before={2} ref={passFocusOnRemoval} className={css["add"]} data-fields="small">
          <Button type="submit" size="small" variant="primary" isPending={isSaving} disabled={!canSave}>
            {t`Save fields`}
          </Button>
          <Button size="small" isAriaDisabled={isSaving} onClick={() => send({ type: "fields.cancel" })}>
            {t`Cancel`}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

/** An input for the field's type. A day is a calendar date without a time zone. */
function FieldInput({ field }: { field: Field }) {
  const [chart, send] = LeadTagsAndFieldsChart.use();
  const { lead, typed } = chart.context;
  const change = (text: string) => send({ type: "field.change", field, text });
  const common = {
    label: field.name,
    value: typed[field.id]?.text ?? String(lead.fields[field.id] ?? ""),
    errorMessage: typed[field.id]?.problem,
    onChange: ({ target }: { target: { value: string } }) => change(target.value),
  };
  if (field.type === "number") return <AmountField {...common} onChange={change} />;
  if (field.type === "date") return <DateField {...common} onChange={change} />;
  if (field.type === "choice")
    return (
      <NativeSelect {...common}>
        <option value="">{t`None`}</option>
        {(field.options ?? []).map((option) => (
          <option key={option}>{option}</option>
        ))}
      </NativeSelect>
    );
  return (
    <TextField
      {...common}
      type={field.type === "link" ? "url" : "text"}
      dir={field.type === "link" ? "ltr" : "auto"}
      {...(field.type === "link" ? { placeholder: "https://" } : {})}
    />
  );
}
