import * as v from "valibot";
import { VISITOR_KEY, createDrafts } from "../services/drafts.ts";
import type { SafeStorage } from "../services/storage.ts";

const CONFIRMED_KEY = "leadloom.can_log_in";

/** What this tab knows about a visitor who is not signed in. Their drafts are kept until someone signs in. */
export function visitorOf(storage: SafeStorage) {
  const drafts = createDrafts(storage, () => "", { key: VISITOR_KEY });
  const name = drafts.of("name", { text: v.string() });
  const email = drafts.of("email", { text: v.string() });
  return {
    name,
    email,
    forgetTyped() {
      name.forget();
      email.forget();
    },
    /** Remembers that this tab created an account that needs no email confirmation. Forgotten at the next login. */
    confirmedSignup: {
      get: (): boolean => storage.get(CONFIRMED_KEY) !== null,
      remember: (): void => storage.set(CONFIRMED_KEY, "1"),
      forget: (): void => storage.remove(CONFIRMED_KEY),
    },
  };
}
