import { useEffect, useEffectEvent, useRef } from "react";
import type { Draft } from "../services/drafts.ts";

type Typed<Form, Stored> = {
  /** The form's present values; null while it cannot be edited: nothing is stored or restored then. */
  form: NoInfer<Stored> | null;
  /** The form's values on the server. */
  server: Partial<NoInfer<Stored>>;
  /** Puts what was typed before into the form. */
  restore: (typed: Partial<NoInfer<Form>>) => void;
};

/** Stores what is typed into a form, and restores it once when the form is shown again. */
export function useDraft<Form, Stored>(
  draft: Draft<Form, Stored>,
  { form, server, restore }: Typed<Form, Stored>,
): void {
  const isRestored = useRef(false);
  const bringBack = useEffectEvent(restore);
  // Equal forms need not be the same object.
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
    // The restored form is stored again, without what has been saved meanwhile.
    draft.forget();
    bringBack(typed);
  }, [draft, state]);
}

/** Wraps the call that sends a form: when it succeeds, the draft is removed, even if the user has left the screen. */
export const forgettingDraft =
  <Input, Output>(draft: { forget: () => void }, call: (input: Input) => Promise<Output>) =>
  async (input: Input): Promise<Output> => {
    const output = await call(input);
    draft.forget();
    return output;
  };
