import { Pencil, Plus, Trash2 } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import {
  type CatalogForm,
  type CatalogItem,
  itemsAs,
  selectActive,
  selectAsks,
  selectForm,
  selectIsAsking,
  selectIsEditing,
  selectIsLoading,
  selectIsSaving,
  selectIsShown,
  selectOutdated,
  selectProblem,
  selectRefused,
  selectUnread,
  useCanCatalog,
  useCatalog,
  useCatalogEvents,
} from "../../machines/catalog/index.ts";
import { selectProblemOf, selectProblemOver } from "../../machines/kit/failed.ts";
import { Button } from "../../ui/Button.tsx";
import { handFocusOn, useFocusKeeper, useReturningFocus } from "../../ui/focus.ts";
import { useFocusOnFault } from "../../ui/focus-fault.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Refusal } from "../../ui/Refusal.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Box, Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./CatalogCard.module.css";

export type CatalogFormProps = {
  form: CatalogForm;
  /** The one that is edited; null for a new one. */
  active: CatalogItem | null;
  change: (change: Partial<CatalogForm>) => void;
  /** What is missing or refused, by field. */
  refused: Readonly<Record<string, string>>;
  isResting: boolean;
};

type CatalogCardProps<Item extends CatalogItem> = {
  noun: { one: string; many: string };
  /** Said where there is none yet. */
  empty: ReactNode;
  blank: CatalogForm;
  formOf: (item: Item) => CatalogForm;
  /** What stands before the buttons of a row. */
  renderRow: (item: Item) => ReactNode;
  renderFields: (props: CatalogFormProps) => ReactNode;
  /** Where the leads of what is removed may go. */
  targetsOf?: (form: CatalogForm) => readonly string[];
};

const titled = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Named things that a person makes for their leads: the list of them, and one of them being written. */
export function CatalogCard<Item extends CatalogItem>(props: CatalogCardProps<Item>) {
  const { noun, blank } = props;
  const isEditing = useCatalog(selectIsEditing);
  const isLoading = useCatalog(selectIsLoading);
  const unread = useCatalog(selectUnread);
  const outdated = useCatalog(selectOutdated);
  const problem = useCatalog(selectProblemOver);
  const canAdd = useCanCatalog({ type: "item.add", form: blank });
  const { add, retry } = useCatalogEvents();
  const addAgain = useReturningFocus(isEditing);
  return (
    <Stack gap={3} className={css["catalog"]}>
      {isLoading && <Skeleton height="4rem" />}
      {unread !== null && <NotRead what={`the ${noun.many}`} onRetry={retry} />}
      {outdated !== null && <NotRead what={`the ${noun.many}`} isOutdated onRetry={retry} />}
      {problem !== null && !isEditing && <FormProblem>{problem}</FormProblem>}
      <Rows {...props} />
      {isEditing ? (
        <Editor {...props} />
      ) : (
        <Button ref={addAgain} className={css["add"]} size="small" isResting={!canAdd} onClick={() => add(blank)}>
          <Plus size={16} aria-hidden="true" />
          Add {titled(noun.one)}
        </Button>
      )}
    </Stack>
  );
}

function Rows<Item extends CatalogItem>(props: CatalogCardProps<Item>) {
  const items = useCatalog(itemsAs<Item>());
  const isShown = useCatalog(selectIsShown);
  const keepFocus = useFocusKeeper("li");
  if (!isShown) return null;
  if (items.length === 0) return <Text tone="muted">{props.empty}</Text>;
  return (
    <Stack as="ul" ref={keepFocus} className={css["list"]} aria-label={titled(props.noun.many)}>
      {items.map((item) => (
        <ItemRow key={item.id} item={item} {...props} />
      ))}
    </Stack>
  );
}

function ItemRow<Item extends CatalogItem>({ item, renderRow, formOf }: CatalogCardProps<Item> & { item: Item }) {
  const { id, name } = item;
  const form = formOf(item);
  const canEdit = useCanCatalog({ type: "item.edit", id, form });
  const canDelete = useCanCatalog({ type: "item.delete", id });
  // The button that asked keeps the focus for the answer.
  const isAsked = useCatalog((chart) => selectActive(chart)?.id === id && !selectIsEditing(chart));
  const problem = useCatalog((chart) => (selectIsEditing(chart) ? null : selectProblemOf(id)(chart)));
  const { edit, remove } = useCatalogEvents();
  return (
    <Row as="li" wraps gap={1} className={css["row"]}>
      <Row wraps lines={1} gap={2} share="rest">
        {renderRow(item)}
      </Row>
      <IconButton label={`Edit ${name}`} icon={<Pencil />} disabled={!canEdit} onClick={() => edit(id, form)} />
      <IconButton
        label={`Delete ${name}`}
        icon={<Trash2 />}
        disabled={!canDelete && !isAsked}
        aria-disabled={!canDelete || undefined}
        onClick={() => remove(id)}
      />
      {problem !== null && (
        <Box share="line">
          <FormProblem>{problem}</FormProblem>
        </Box>
      )}
    </Row>
  );
}

const FIELDS = ["name", "options"];

function Editor<Item extends CatalogItem>({ noun, renderFields, targetsOf }: CatalogCardProps<Item>) {
  const form = useCatalog(selectForm);
  const active = useCatalog(selectActive);
  const isSaving = useCatalog(selectIsSaving);
  const isAsking = useCatalog(selectIsAsking);
  const problem = useCatalog(selectProblem);
  const refused = useCatalog(selectRefused);
  const canSave = useCanCatalog({ type: "form.submit" });
  const { change, cancel, save } = useCatalogEvents();
  const ref = useFocusOnFault(refused);
  useEffect(() => ref.current?.querySelector("input")?.focus(), [ref]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  const isResting = isSaving || isAsking;
  return (
    <section ref={handFocusOn} aria-label={`${active === null ? "Add" : "Edit"} ${titled(noun.one)}`}>
      <Stack as="form" gap={3} pad={3} ref={ref} className={css["form"]} onSubmit={submit} noValidate>
        {renderFields({ form, active, change, refused, isResting })}
        <Refusal problem={problem} refused={refused} fields={FIELDS} />
        {isAsking ? (
          <Targets targets={targetsOf?.(form) ?? []} />
        ) : (
          <Row wraps align="end" gap={2}>
            <Button type="submit" size="small" variant="primary" isPending={isSaving} disabled={!canSave && !isSaving}>
              Save {titled(noun.one)}
            </Button>
            <Button size="small" onClick={cancel} isResting={isSaving}>
              Cancel
            </Button>
          </Row>
        )}
      </Stack>
    </section>
  );
}

/** Where the leads go that hold what would be removed. */
function Targets({ targets }: { targets: readonly string[] }) {
  const asks = useCatalog(selectAsks);
  const { chooseTarget, cancelTarget } = useCatalogEvents();
  const first = useRef<HTMLFieldSetElement>(null);
  useEffect(() => first.current?.querySelector("button")?.focus(), []);
  return (
    <Row as="fieldset" wraps align="end" gap={2} ref={first} className={css["targets"]}>
      <legend>{asks?.replace(/ Say in move_to.*$/, "")} Where do they go?</legend>
      {targets.map((target) => (
        <Button key={target} size="small" onClick={() => chooseTarget(target)}>
          To {target}
        </Button>
      ))}
      <Button size="small" onClick={() => chooseTarget(null)}>
        Leave them without
      </Button>
      <Button size="small" variant="ghost" onClick={cancelTarget}>
        Back
      </Button>
    </Row>
  );
}
