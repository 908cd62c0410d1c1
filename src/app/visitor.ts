import type { SafeStorage } from "../services/storage.ts";
import type { KeptText } from "../ui/kept-text.ts";

const PREFIX = "leadloom.visitor_";

/** A field typed by somebody who has not signed in: no draft of a person's, it lies in this tab until somebody signs in. */
export const visitorText = (storage: SafeStorage, field: "email" | "name"): KeptText => ({
  read: (saved) => storage.get(PREFIX + field) ?? saved,
  keep: (text) => (text === "" ? storage.remove(PREFIX + field) : storage.set(PREFIX + field, text)),
});

/** Forgets all of it. */
export const forgetVisitor = (storage: SafeStorage): void => storage.removeAll(PREFIX);
