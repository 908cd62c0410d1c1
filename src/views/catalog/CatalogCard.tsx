import { Pencil, Plus, Trash2 } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import {
  type CatalogContext,
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
  selectUnread,
} from "../../machines/catalog/index.ts";
import { Button } from "../../ui/Button.tsx";
import { handFocusOn, useFocusKeeper } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import css from "./CatalogCard.module.css";

export type CatalogFormProps = {
  form: CatalogForm;
  /** The one that is edited; null for a new one. */
  active: CatalogItem | null;
  change: (change: Partial<CatalogForm>) => void;
  isResting: boolean;
};

type CatalogCardProps<Item extends CatalogItem> = {
  catalog: CatalogContext;
  noun: { one: string; many: string };
  /** Said where there is none yet. */
  empty: ReactNode;
  blank: CatalogForm;
  formOf: (item: Item) => CatalogForm;
  /** What stands before the buttons of a row. */
  row: (item: Item) => ReactNode;
  fields: (props: CatalogFormProps) => ReactNode;
  /** Where the leads of what is removed may go. */
  targetsOf?: (form: CatalogForm) => readonly string[];
};

const titled = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Named things that a person makes for their leads: the list of them, and one of them being written. */
export function CatalogCard<Item extends CatalogItem>(props: CatalogCardProps<Item>) {
  const { catalog, noun, blank } = props;
  const isEditing = catalog.use(selectIsEditing);
  const isLoading = catalog.use(selectIsLoading);
  const unread = catalog.use(selectUnread);
  const outdated = catalog.use(selectOutdated);
  const problem = catalog.use(selectProblem);
  const canAdd = catalog.useCan({ type: "item.add", form: blank });
  const { add, retry } = catalog.useVerbs();
  return (
    <div className={css["catalog"]}>
      {isLoading && <Skeleton height="4rem" />}
      {unread !== null && <NotRead what={`the ${noun.many}`} onRetry={retry} />}
      {outdated !== null && <NotRead what={`the ${noun.many}`} isOutdated onRetry={retry} />}
      {problem !== null && !isEditing && <FormProblem>{problem}</FormProblem>}
      <Rows {...props} />
      {isEditing ? (
        <Editor {...props} />
      ) : (
        <Button className={css["add"]} size="small" isResting={!canAdd} onClick={() => add(blank)}>
          <Plus size={16} aria-hidden="true" />
          Add {titled(noun.one)}
        </Button>
      )}
    </div>
  );
}

function Rows<Item extends CatalogItem>(props: CatalogCardProps<Item>) {
  const items = props.catalog.use(itemsAs<Item>());
  const isShown = props.catalog.use(selectIsShown);
  const keepFocus = useFocusKeeper("li");
  if (!isShown) return null;
  if (items.length === 0) return <p className={css["empty"]}>{props.empty}</p>;
  return (
    <ul ref={keepFocus} className={css["list"]} aria-label={titled(props.noun.many)}>
      {items.map((item) => (
        <Row key={item.id} item={item} {...props} />
      ))}
    </ul>
  );
}

function Row<Item extends CatalogItem>({ item, catalog, row, formOf }: CatalogCardProps<Item> & { item: Item }) {
  const { id, name } = item;
  const form = formOf(item);
  const canEdit = catalog.useCan({ type: "item.edit", id, form });
  const canDelete = catalog.useCan({ type: "item.delete", id });
  // The button that asked keeps the focus for the answer.
  const isAsked = catalog.use((chart) => selectActive(chart)?.id === id && !selectIsEditing(chart));
  const { edit, remove } = catalog.useVerbs();
  return (
    <li className={css["row"]}>
      <div className={css["words"]}>{row(item)}</div>
      <IconButton label={`Edit ${name}`} icon={<Pencil />} disabled={!canEdit} onClick={() => edit(id, form)} />
      <IconButton
        label={`Delete ${name}`}
        icon={<Trash2 />}
        disabled={!canDelete && !isAsked}
        aria-disabled={!canDelete || undefined}
        onClick={() => remove(id)}
      />
    </li>
  );
}

function Editor<Item extends CatalogItem>({ catalog, noun, fields, targetsOf }: CatalogCardProps<Item>) {
  const form = catalog.use(selectForm);
  const active = catalog.use(selectActive);
  const isSaving = catalog.use(selectIsSaving);
  const isAsking = catalog.use(selectIsAsking);
  const problem = catalog.use(selectProblem);
  const canSave = catalog.useCan({ type: "form.submit", key: "" });
  const { change, cancel, save } = catalog.useVerbs();
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => ref.current?.querySelector("input")?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  const isResting = isSaving || isAsking;
  return (
    <section ref={handFocusOn} aria-label={`${active === null ? "Add" : "Edit"} ${titled(noun.one)}`}>
      <form ref={ref} className={css["form"]} onSubmit={submit} noValidate>
        {fields({ form, active, change, isResting })}
        {problem !== null && <FormProblem>{problem}</FormProblem>}
        {isAsking ? (
          <Targets catalog={catalog} targets={targetsOf?.(form) ?? []} />
        ) : (
          <div className={css["actions"]}>
            <Button type="submit" size="small" variant="primary" isPending={isSaving} disabled={!canSave && !isSaving}>
              Save {titled(noun.one)}
            </Button>
            <Button size="small" onClick={cancel} isResting={isSaving}>
              Cancel
            </Button>
          </div>
        )}
      </form>
    </section>
  );
}

/** Where the leads go that hold what would be removed. */
function Targets({ catalog, targets }: { catalog: CatalogContext; targets: readonly string[] }) {
  const asks = catalog.use(selectAsks);
  const { chooseTarget, cancelTarget } = catalog.useVerbs();
  const first = useRef<HTMLFieldSetElement>(null);
  useEffect(() => first.current?.querySelector("button")?.focus(), []);
  return (
    <fieldset ref={first} className={css["targets"]}>
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
    </fieldset>
  );
}
