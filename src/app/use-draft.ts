import { useEffect, useRef } from "react";
import type { Draft, Drafts } from "../services/drafts.ts";

type Typed<Form extends Draft> = {
  name: string;
  /** The form as it stands; null while it cannot be typed into, when nothing is kept nor brought back. */
  form: NoInfer<Form> | null;
  /** The fields that are kept, without anything typed. */
  blank: Form;
  /** Brings back what was typed before. */
  restore: (typed: Partial<NoInfer<Form>>) => void;
};

/** Keeps what is typed into a form, and brings it back once when the form is shown anew. */
export function useDraft<Form extends Draft>(drafts: Drafts, { name, form, blank, restore }: Typed<Form>): void {
  const isRestored = useRef(false);
  useEffect(() => {
    if (form === null) return;
    const typed = isRestored.current ? null : drafts.read(name, blank);
    isRestored.current = true;
    if (typed === null) {
      drafts.write(name, form, blank);
      return;
    }
    // What comes of it is kept anew: some of it may have been saved meanwhile.
    drafts.forget(name);
    restore(typed);
  }, [drafts, name, form, blank, restore]);
}

/** The call that makes something of a form: once it has, the form is not brought back, though its screen was left meanwhile. */
export const forgettingDraft =
  <Input, Output>({ drafts }: { drafts: Drafts }, name: string, call: (input: Input) => Promise<Output>) =>
  async (input: Input): Promise<Output> => {
    const output = await call(input);
    drafts.forget(name);
    return output;
  };
