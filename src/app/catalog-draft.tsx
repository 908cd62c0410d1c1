import { Catalog, catalogDraft, itemsAs, selectIsEditing } from "../machines/catalog/catalog.machine.ts";
import type { Services } from "./services.ts";
import { useDraft } from "./use-draft.ts";

const BLANK = { at: "", form: "" };
const NEW = "new";

export function CatalogDraft({ services: { drafts } }: { services: Services }) {
  const kind = Catalog.useSelector(({ context }) => context.kind);
  const items = Catalog.useSelector(itemsAs());
  const isShown = Catalog.useSelector((chart) => chart.matches({ list: "shown" }));
  const isEditing = Catalog.useSelector(selectIsEditing);
  const active = Catalog.useSelector(({ context }) => context.active);
  const typed = Catalog.useSelector(({ context }) => context.form);
  const send = Catalog.useSend();
  const before: Readonly<Record<string, unknown>> = active ?? { name: "" };
  // An unchanged item, and a new one without a name, have nothing to keep.
  const isTyped =
    active === null
      ? typed.name !== ""
      : Object.entries(typed).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
  const form = isEditing && isTyped ? { at: active?.id ?? NEW, form: JSON.stringify(typed) } : BLANK;
  useDraft(catalogDraft(drafts, kind), {
    form: isShown ? form : null,
    server: BLANK,
    restore({ at = "", form: again }) {
      if (again === undefined) return;
      if (at === NEW) send({ type: "item.add", form: again });
      else if (items.some(({ id }) => id === at)) send({ type: "item.edit", id: at, form: again });
    },
  });
  return null;
}
