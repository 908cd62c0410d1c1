import { useCallback, useMemo } from "react";
import {
  type CatalogForm,
  itemsAs,
  selectActive,
  selectForm,
  selectIsEditing,
  selectIsShown,
  useCatalog,
  useCatalogEvents,
} from "../machines/catalog/index.ts";
import { catalogDraft } from "./catalogs.ts";
import type { Services } from "./services.ts";
import { useDraft } from "./use-draft.ts";

const BLANK = { at: "", form: "" };
const NEW = "new";

/** Keeps what is typed of a tag, a field or a view over a change of screen and a reload. */
export function KeptCatalog({ services: { drafts }, noun }: { services: Services; noun: string }) {
  const items = useCatalog(itemsAs());
  const isShown = useCatalog(selectIsShown);
  const isEditing = useCatalog(selectIsEditing);
  const active = useCatalog(selectActive);
  const typed = useCatalog(selectForm);
  const { add, edit } = useCatalogEvents();
  const form = useMemo(() => {
    if (!isShown) return null;
    const before: Readonly<Record<string, unknown>> = active ?? { name: "" };
    // A thing that is only opened has nothing typed of it; a new one has nothing without its name.
    const isTyped =
      active === null
        ? typed.name !== ""
        : Object.entries(typed).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
    return isEditing && isTyped ? { at: active?.id ?? NEW, form: JSON.stringify(typed) } : BLANK;
  }, [isShown, isEditing, active, typed]);
  const restore = useCallback(
    (kept: Partial<typeof BLANK>) => {
      const again = JSON.parse(kept.form ?? "null") as CatalogForm | null;
      if (again === null) return;
      if (kept.at === NEW) add(again);
      else if (items.some(({ id }) => id === kept.at)) edit(kept.at ?? "", again);
    },
    [items, add, edit],
  );
  useDraft(drafts, { name: catalogDraft(noun), form, blank: BLANK, restore });
  return null;
}
