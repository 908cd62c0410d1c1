import { type UiTextOrString, useTranslate } from "#language";
import { useLingui } from "@lingui/react/macro";
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
import { passFocusOnRemoval, useFocusKeeper, useReturningFocus } from "../../ui/focus.ts";
import { FormProblem, Refusal, submitting, useFocusOnError } from "../../ui/form.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { Box, Grid, Row, Text } from "../../ui/layout.tsx";

export type CatalogFormProps = {
  form: CatalogForm;
  /** The item being edited; null for a new one. */
  active: CatalogItem | null;
  change: (change: Partial<CatalogForm>) => void;
  refused: Readonly<Record<string, UiTextOrString>>;
  isBusy: boolean;
};

type CatalogCardProps<Item extends CatalogItem> = {
  noun: { one: string; many: string };
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
  const translate = useTranslate();
  const { noun, blank } = props;
  const [chart, send] = Catalog.use();
  const isEditing = selectIsEditing(chart);
  const problem = selectProblemOver(chart);
  const add = { type: "item.add", form: blank } as const;
  const retry = () => send({ type: "reading.retry" });
  const addAgain = useReturningFocus(isEditing);
  return (
    <Grid columns="minmax(0, 1fr)" gap={3}>
      {chart.matches({ list: "loading" }) && <Skeleton height="4rem" />}
      {chart.hasTag("loadFailed") && <LoadError what={translate(LABELS.what(noun.one))} onRetry={retry} />}
      {chart.hasTag("outdated") && <LoadError what={translate(LABELS.what(noun.one))} isOutdated onRetry={retry} />}
      {problem !== null && !isEditing && <FormProblem>{problem}</FormProblem>}
      <Rows {...props} />
      {isEditing ? (
        <Editor {...props} />
      ) : (
        <Button ref={addAgain} isAtStart size="small" isAriaDisabled={!chart.can(add)} onClick={() => send(add)}>
          <Plus aria-hidden="true" />
          {translate(LABELS.add(noun.one))}
        </Button>
      )}
    </Grid>
  );
}

function Rows<Item extends CatalogItem>(props: CatalogCardProps<Item>) {
  const translate = useTranslate();
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
      aria-label={translate(LABELS.list(props.noun.one))}
    >
      {items.map((item) => (
        <ItemRow key={item.id} item={item} {...props} />
      ))}
    </Grid>
  );
}

function ItemRow<Item extends CatalogItem>({ item, renderRow, formOf }: CatalogCardProps<Item> & { item: Item }) {
  const { t } = useLingui();
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
      {problem !== null && <FormProblem share="line">{problem}</FormProblem>}
    </Row>
  );
}

const FIELDS = ["name", "options"];

function Editor<Item extends CatalogItem>({ noun, renderFields, targetsOf }: CatalogCardProps<Item>) {
  const translate = useTranslate();
  const { t } = useLingui();
  const [chart, send] = Catalog.use();
  const { form, active, problem, refused } = chart.context;
  const isSaving = chart.matches({ work: "saving" });
  const isAsking = chart.matches({ work: "awaitingTarget" });
  const save = { type: "form.submit" } as const;
  const change = (typed: Partial<CatalogForm>) => send({ type: "form.change", change: typed });
  const ref = useFocusOnError(refused);
  useEffect(() => ref.current?.querySelector("input")?.focus(), [ref]);
  const submit = submitting(() => send(save));
  const isBusy = isSaving || isAsking;
  return (
    <section ref={passFocusOnRemoval} aria-label={translate((active === null ? LABELS.add : LABELS.edit)(noun.one))}>
      <Grid surface="well" columns="minmax(0, 1fr)" as="form" gap={3} pad={3} ref={ref} onSubmit={submit} noValidate>
        {renderFields({ form, active, change, refused, isBusy })}
        <Refusal problem={problem} refused={refused} fields={FIELDS} />
        {isAsking ? (
          <Targets targets={targetsOf?.(form) ?? []} />
        ) : (
          <Row wraps align="end" gap={2}>
            <Button
              type="submit"
              size="small"
              variant="primary"
              isPending={isSaving}
              disabled={!chart.can(save) && !isSaving}
            >
              {translate(LABELS.save(noun.one))}
            </Button>
            <Button size="small" onClick={() => send({ type: "form.cancel" })} isAriaDisabled={isSaving}>
              {t`Cancel`}
            </Button>
          </Row>
        )}
      </Grid>
    </section>
  );
}

/** Lets the user choose where leads with removed options move. */
function Targets({ targets }: { targets: readonly string[] }) {
  const { t } = useLingui();
  const translate = useTranslate();
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
        <Button key={target} size="small" onClick={() => chooseTarget(target)}>
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
