import { useCallback, useMemo } from "react";
import type { Drafts } from "../services/drafts.ts";
import { useUnsavedWork } from "./leaving.ts";
import type { Services } from "./services.ts";
import { useDraft } from "./use-draft.ts";

const NONE = { edits: "" };

type KeptEdits = {
  name: string;
  /** The edits as one text; null while nothing can be edited. */
  edits: string | null;
  isUnsaved: boolean;
  /** Brings back what was edited before. */
  restore: (edits: string) => void;
};

/** Edits of a list ask before they are left, and are there again after a reload. `restore` stays the same between renders. */
export function useKeptEdits({ drafts, leaving }: Services, { name, edits, isUnsaved, restore }: KeptEdits): void {
  useDraft(drafts, {
    name,
    form: useMemo(() => (edits === null ? null : { edits }), [edits]),
    blank: NONE,
    restore: useCallback((kept: Partial<typeof NONE>) => restore(kept.edits ?? ""), [restore]),
  });
  useUnsavedWork(
    leaving,
    isUnsaved,
    useCallback(() => drafts.forget(name), [drafts, name]),
  );
}

/** Takes what was saved out of the kept edits, though their screen was left meanwhile. */
export const settlingEdits =
  <Saved>(drafts: Drafts, name: string, after: (edits: string, saved: Saved) => string) =>
  (saved: Saved): void => {
    const kept = drafts.read(name, NONE)?.edits;
    if (kept !== undefined) drafts.write(name, { edits: after(kept, saved) }, NONE);
  };
