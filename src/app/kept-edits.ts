import { useCallback, useMemo } from "react";
import type { Drafts } from "../services/drafts.ts";
import { useUnsavedWork } from "./unsaved-work.ts";
import type { Services } from "./services.ts";
import { useDraft } from "./use-draft.ts";

/** Where edits lie among the drafts: a name, and the one field under it. It outlives a deploy. */
export type EditsPlace = { name: string; field: string };

type KeptEdits = {
  /** The same between renders. */
  place: EditsPlace;
  /** The edits as one text; null while nothing can be edited. */
  edits: string | null;
  isUnsaved: boolean;
  /** Brings back what was edited before. */
  restore: (edits: string) => void;
};

const draftOf = ({ field }: EditsPlace, edits: string): Record<string, string> => ({ [field]: edits });

/** Edits of a list ask before they are left, and are there again after a reload. `restore` stays the same between renders. */
export function useKeptEdits({ drafts, leaving }: Services, { place, edits, isUnsaved, restore }: KeptEdits): void {
  useDraft(drafts, {
    name: place.name,
    form: useMemo(() => (edits === null ? null : draftOf(place, edits)), [place, edits]),
    blank: useMemo(() => draftOf(place, ""), [place]),
    restore: useCallback((kept: Partial<Record<string, string>>) => restore(kept[place.field] ?? ""), [restore, place]),
  });
  useUnsavedWork(
    leaving,
    isUnsaved,
    useCallback(() => drafts.forget(place.name), [drafts, place]),
  );
}

/** Takes what was saved out of the kept edits, though their screen was left meanwhile. */
export const settlingEdits =
  <Saved>(drafts: Drafts, place: EditsPlace, after: (edits: string, saved: Saved) => string) =>
  (saved: Saved): void => {
    const kept = drafts.read(place.name, draftOf(place, ""))?.[place.field];
    if (kept !== undefined) drafts.write(place.name, draftOf(place, after(kept, saved)), draftOf(place, ""));
  };
