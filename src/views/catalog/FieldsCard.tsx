import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { FIELDS_MAX, FIELD_TYPES, type Field } from "../../../domain/field.ts";
import type { CatalogForm } from "../../machines/catalog/catalog.machine.ts";
import { leadsText, namesText } from "../../language/format.ts";
import { announced } from "../../ui/form.tsx";
import { Badge } from "../../ui/Badge.tsx";
import { Card, Note, Row, Stack } from "../../ui/layout.tsx";
import { NativeSelect, TextArea } from "../../ui/Field.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { CatalogCard, type CatalogFormProps, NameField } from "./CatalogCard.tsx";
import css from "./catalog.module.css";

const TYPE_NAMES: Record<Field["type"], MessageDescriptor> = {
  text: msg`Text`,
  number: msg`Number`,
  date: msg`Date`,
  choice: msg`Choice`,
  link: msg`Link`,
};

const formOf = ({ name, type, options, is_value: isValue }: Field) => ({
  name,
  ...(type === "choice" ? { options: options ?? [] } : {}),
  ...(type === "number" ? { is_value: isValue } : {}),
});

const optionsOf = (form: CatalogForm): readonly string[] => (form["options"] ?? []) as readonly string[];

export const FieldsCard = () => {
  return (
    <Stack columns="minmax(0, 1fr)" as={Card} gap={3}>
      <h3>{t`Own fields`}</h3>
      <Note>{t`What you want to know of each lead; ${FIELDS_MAX} at most. One number can be their value.`}</Note>
      <CatalogCard<Field>
        empty={t`Such as a budget, a city or a day to call.`}
        blank={{ name: "", type: "text" }}
        formOf={formOf}
        renderRow={(field) => (
          <>
            <span dir="auto">{field.name}</span>
            <Note as="span">
              {t(TYPE_NAMES[field.type])}
              {field.options ? `: ${namesText(field.options)}` : ""} · {leadsText(field.leads)}
            </Note>
            {field.is_value && <Badge tone="good">{t`Value`}</Badge>}
          </>
        )}
        renderFields={FieldFields}
        targetsOf={optionsOf}
      />
    </Stack>
  );
};

function FieldFields(props: CatalogFormProps) {
  const { form, active, change, refused, isBusy } = props;
  const type = active === null ? String(form["type"]) : (active as Field).type;
  const chooseType = (next: string) => change({ type: next, options: next === "choice" ? [] : null, is_value: false });
  return (
    <>
      <Row wraps align="end" gap={2} className={css["line"]}>
        <NameField {...props} />
        {active === null && (
          <NativeSelect
            label={t`Type`}
            disabled={isBusy}
            value={type}
            onChange={(event) => chooseType(event.target.value)}
          >
            {FIELD_TYPES.map((name) => (
              <option key={name} value={name}>
                {t(TYPE_NAMES[name])}
              </option>
            ))}
          </NativeSelect>
        )}
      </Row>
      {type === "choice" && (
        <TextArea
          label={t`Options`}
          description={t`One a line, in the order in which they are offered.`}
          dir="auto"
          rows={4}
          readOnly={isBusy}
          value={optionsOf(form).join("\n")}
          errorMessage={announced(refused["options"])}
          onChange={(event) => change({ options: event.target.value.split("\n") })}
          // An unchanged value keeps its error: otherwise the button below would move away under the click.
          onBlur={() => {
            const options = tidied(optionsOf(form));
            if (options.join("\n") !== optionsOf(form).join("\n")) change({ options });
          }}
        />
      )}
      {type === "number" && (
        <Switch
          label={t`This is what a lead is worth`}
          description={t`The board and Stats add it up by stage.`}
          disabled={isBusy}
          checked={form["is_value"] === true}
          onChange={(event) => change({ is_value: event.target.checked })}
        />
      )}
    </>
  );
}

const tidied = (options: readonly string[]) => options.map((option) => option.trim()).filter((option) => option !== "");
