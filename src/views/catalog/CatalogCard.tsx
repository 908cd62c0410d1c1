import { t } from "@lingui/core/macro";
import { type UiTextOrString, translate } from "#language";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { optionInUseMessage } from "../../../domain/option-in-use.ts";
import {
  Catalog,
  type CatalogForm,
  type CatalogItem,
  itemsAs,
  selectIsEditing,
} from "../../machines/catalog/catalog.machine.ts";
import { LABELS } from "../../machines/catalog/catalog.texts.ts";
import { selectProblemOf, selectProblemOver } from "../../machines/kit/writing.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { useFocusKeeper, useReturningFocus } from "../../ui/focus.ts";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { FormProblem, announced } from "../../ui/form.tsx";
import { TextField } from "../../ui/Field.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { Box, Grid, Row, Text } from "../../ui/layout.tsx";
import { ItemForm } from "../shell/ItemForm.tsx";
import css from "./catalog.module.css";

export type CatalogFormProps = {
  form: CatalogForm;
  /** The item being edited; null for a new one. */
  active: CatalogItem | null;
  change: (change: Partial<CatalogForm>) => void;
  refused: Readonly<Record<string, UiTextOrString>>;
  isBusy: boolean;
};

type CatalogCardProps<Item extends CatalogItem> = {
  empty: ReactNode;
  blank: CatalogForm;
  formOf: (item: Item) => CatalogForm;
  renderRow: (item: Item) => ReactNode;
  renderFields: (props: CatalogFormProps) => ReactNode;
  /** The options that leads may move to. */
  targetsOf?: (form: CatalogForm) => readonly string[];
};

/** A list of named items that users create for their leads, and the form for one of them. */
export function CatalogCard<Item extends CatalogItem>(props: CatalogCardProps<Item>) {
  const [chart, send] = Catalog.use();
  const { kind } = chart.context;
  const isEditing = selectIsEditing(chart);
  const problem = selectProblemOver(chart);
  const add = { type: "item.add", form: props.blank } as const;
  const retry = () => send({ type: "reading.retry" });
  const addAgain = useReturningFocus(isEditing);
  return (
    <Grid columns="minmax(0, 1fr)" gap={3}>
      {chart.matches({ list: "loading" }) && <Skeleton height="4rem" />}
      {chart.hasTag("loadFailed") && <LoadError what={translate(LABELS.what(kind))} onRetry={retry} />}
      {chart.hasTag("outdated") && <LoadError what={translate(LABELS.what(kind))} isOutdated onRetry={retry} />}
      {!isEditing && <FormProblem>{problem}</FormProblem>}
      <Rows {...props} />
      {isEditing ? (
        <Editor {...props} />
      ) : (
        <Button ref={addAgain} isAtStart size="small" isAriaDisabled={!chart.can(add)} onClick={() => send(add)}>
          <Plus />
          {translate(LABELS.add(kind))}
        </Button>
      )}
    </Grid>
  );
}

function Rows<Item extends CatalogItem>(props: CatalogCardProps<Item>) {
  const [chart] = Catalog.use();
  const items = itemsAs<Item>()(chart);
  const keepFocus = useFocusKeeper("li");
  if (!chart.matches({ list: "shown" })) return null;
  if (items.length === 0) return <Text tone="muted">{props.empty}</Text>;
  return (
    <Grid
      columns="minmax(0, 1fr)"
      as="ul"
      isDivided
      ref={keepFocus}
      aria-label={translate(LABELS.list(chart.context.kind))}
    >
      {items.map((item) => (
        <ItemRow key={item.id} item={item} {...props} />
      ))}
    </Grid>
  );
}

function ItemRow<Item extends CatalogItem>({ item, renderRow, formOf }: CatalogCardProps<Item> & { item: Item }) {
  const { id, name } = item;
  const [chart, send] = Catalog.use();
  const edit = { type: "item.edit", id, form: formOf(item) } as const;
  const remove = { type: "item.delete", id } as const;
  // The button that opened the confirmation keeps the focus.
  const isAsked = chart.context.active?.id === id && !selectIsEditing(chart);
  const problem = selectIsEditing(chart) ? null : selectProblemOf(id)(chart);
  return (
    <Row pad={[1, 0]} as="li" wraps gap={1}>
      <Row wraps gap={[1, 2]} share="rest">
        {renderRow(item)}
      </Row>
      <IconButton label={t`Edit ${name}`} icon={<Pencil />} disabled={!chart.can(edit)} onClick={() => send(edit)} />
      <IconButton
        label={t`Delete ${name}`}
        icon={<Trash2 />}
        disabled={!chart.can(remove) && !isAsked}
        aria-disabled={!chart.can(remove) || undefined}
        onClick={() => send(remove)}
      />
      <FormProblem share="line">{problem}</FormProblem>
    </Row>
  );
}

const FIELDS = ["name", "options"];

function Editor<Item extends CatalogItem>({ renderFields, targetsOf }: CatalogCardProps<Item>) {
  const [chart, send] = Catalog.use();
  const { kind, form, active, problem, refused } = chart.context;
  const isSaving = chart.matches({ work: "saving" });
  const isAsking = chart.matches({ work: "awaitingTarget" });
  const change = (typed: Partial<CatalogForm>) => send({ type: "form.change", change: typed });
  return (
    <section ref={passFocusOnRemoval} aria-label={translate((active === null ? LABELS.add : LABELS.edit)(kind))}>
      <ItemForm
        surface="well"
        columns="minmax(0, 1fr)"
        gap={3}
        pad={3}
        refusal={{ problem, refused, fields: FIELDS }}
        saveLabel={translate(LABELS.save(kind))}
        isSaving={isSaving}
        canSave={chart.can({ type: "form.submit" })}
        size="small"
        question={isAsking ? <Targets targets={targetsOf?.(form) ?? []} /> : null}
        send={send}
      >
        {renderFields({ form, active, change, refused, isBusy: isSaving || isAsking })}
      </ItemForm>
    </section>
  );
}

/** The input for an item's name. */
export function NameField({
  form,
  change,
  refused,
  isBusy,
  description,
}: CatalogFormProps & { description?: string | undefined }) {
  return (
    <TextField
      label={t`Name`}
      dir="auto"
      maxLength={60}
      readOnly={isBusy}
      description={description}
      value={form.name}
      errorMessage={announced(refused["name"])}
      onChange={(event) => change({ name: event.target.value })}
    />
  );
}

/** Lets the user choose where leads with removed options move. */
function Targets({ targets }: { targets: readonly string[] }) {
  const [chart, send] = Catalog.use();
  const { asks } = chart.context;
  const chooseTarget = (moveTo: string | null) => send({ type: "target.choose", moveTo });
  const first = useRef<HTMLFieldSetElement>(null);
  useEffect(() => first.current?.querySelector("button")?.focus(), []);
  return (
    <Row as="fieldset" wraps align="end" gap={2} ref={first}>
      <Box as="legend" after={2}>
        {asks === null ? null : translate(optionInUseMessage(asks))} {t`Where do they go?`}
      </Box>
      {targets.map((target) => (
        <Button key={target} size="small" className={css["target"]} onClick={() => chooseTarget(target)}>
          {t`To ${target}`}
        </Button>
      ))}
      <Button size="small" onClick={() => chooseTarget(null)}>
        {t`Leave them without`}
      </Button>
      <Button size="small" variant="ghost" onClick={() => send({ type: "target.cancel" })}>
        {t`Back`}
      </Button>
    </Row>
  );
}
