import { useEffect, useEffectEvent, useRef } from "react";
import type { Draft } from "../services/drafts.ts";

type Typed<Form, Stored> = {
  /** The form's current values; null while it cannot be edited, when nothing is stored or restored. */
  form: NoInfer<Stored> | null;
  server: Partial<NoInfer<Stored>>;
  restore: (typed: Partial<NoInfer<Form>>) => void;
};

/** Stores the unsaved values of a form, and restores them once when the form is shown again. */
export function useDraft<Form, Stored>(
  draft: Draft<Form, Stored>,
  { form, server, restore }: Typed<Form, Stored>,
): void {
  const isRestored = useRef(false);
  const bringBack = useEffectEvent(restore);
  // Compares by value: equal forms may be different objects.
  const state = JSON.stringify([form, server]);
  useEffect(() => {
    const [now, saved] = JSON.parse(state) as [Stored | null, Partial<Stored>];
    if (now === null) return;
    const typed = isRestored.current ? null : draft.read();
    isRestored.current = true;
    if (typed === null) {
      draft.write(now, saved);
      return;
    }
    // Stores the restored form again, without what was saved in the meantime.
    draft.forget();
    bringBack(typed);
  }, [draft, state]);
}
