import type { SafeStorage } from "../services/storage.ts";
import { VISITOR_PREFIX } from "../services/typed.ts";
import type { KeptText } from "../ui/kept-text.ts";

/** A field typed by somebody who has not signed in: no draft of a person's, it lies in this tab until somebody signs in. */
export const visitorText = (storage: SafeStorage, field: "email" | "name"): KeptText => ({
  read: (saved) => storage.get(VISITOR_PREFIX + field) ?? saved,
  keep: (text) => (text === "" ? storage.remove(VISITOR_PREFIX + field) : storage.set(VISITOR_PREFIX + field, text)),
});

const CONFIRMED_KEY = "leadloom.can_log_in";

/** Remembers that this tab created an account that needs no email confirmation. Forgotten at the next login. */
export const confirmedSignup = (storage: SafeStorage) => ({
  get: (): boolean => storage.get(CONFIRMED_KEY) !== null,
  remember: (): void => storage.set(CONFIRMED_KEY, "1"),
  forget: (): void => storage.remove(CONFIRMED_KEY),
});

/** Forgets all of it. */
export const forgetVisitor = (storage: SafeStorage): void => storage.removeAll(VISITOR_PREFIX);
