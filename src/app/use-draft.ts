import { useEffect, useEffectEvent, useRef } from "react";
import type { Draft } from "../services/drafts.ts";

type Typed<Form, Stored> = {
  /** The form as it stands; null while it cannot be typed into, when nothing is kept nor brought back. */
  form: NoInfer<Stored> | null;
  /** The form as the server knows it, without anything typed. */
  server: Partial<NoInfer<Stored>>;
  /** Brings back what was typed before. */
  restore: (typed: Partial<NoInfer<Form>>) => void;
};

/** Keeps what is typed into a form, and brings it back once when the form is shown anew. */
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
    // What comes of it is kept anew: some of it may have been saved meanwhile.
    draft.forget();
    bringBack(typed);
  }, [draft, state]);
}

/** The call that makes something of a form: once it has, the form is not brought back, though its screen was left meanwhile. */
export const forgettingDraft =
  <Input, Output>(draft: { forget: () => void }, call: (input: Input) => Promise<Output>) =>
  async (input: Input): Promise<Output> => {
    const output = await call(input);
    draft.forget();
    return output;
  };
