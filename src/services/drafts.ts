import type { SafeStorage } from "./storage.ts";

/** Fields as typed. */
export type Draft = Record<string, string | boolean>;

/** What a person typed into forms and did not send yet: kept over a change of screen and a reload, for one user alone. */
export type Drafts = {
  /** The fields kept under a name that the form still has; null when none differs from `blank`. */
  read: <Form extends Draft>(name: string, blank: Form) => Partial<Form> | null;
  /** Keeps the fields that differ from `blank`; a form that is blank again is forgotten. */
  write: <Form extends Draft>(name: string, form: Form, blank: Form) => void;
  /** Forgets one form: what was typed into it has become what it was for. */
  forget: (name: string) => void;
};

const KEY = "leadloom_drafts";

/** Keeps drafts in one entry of session storage; another user's are not read, and go with the first that is written. */
export function createDrafts(storage: SafeStorage, userId: () => string): Drafts {
  const load = (): Record<string, unknown> => {
    try {
      const { user, forms } = JSON.parse(storage.get(KEY) ?? "{}") as { user?: unknown; forms?: unknown };
      return user === userId() && typeof forms === "object" && forms !== null ? (forms as Record<string, unknown>) : {};
    } catch {
      return {};
    }
  };
  const differing = <Form extends Draft>(form: Record<string, unknown>, blank: Form): Partial<Form> =>
    Object.fromEntries(
      Object.entries(blank).flatMap(([field, value]) => {
        const typed = form[field];
        return typeof typed === typeof value && typed !== value ? [[field, typed]] : [];
      }),
    ) as Partial<Form>;
  const store = (forms: Record<string, unknown>) => {
    if (Object.keys(forms).length === 0) storage.remove(KEY);
    else storage.set(KEY, JSON.stringify({ user: userId(), forms }));
  };
  return {
    read(name, blank) {
      const form = load()[name];
      const typed = typeof form === "object" && form !== null ? differing(form as Record<string, unknown>, blank) : {};
      return Object.keys(typed).length === 0 ? null : typed;
    },
    write(name, form, blank) {
      const { [name]: _before, ...others } = load();
      const typed = differing(form, blank);
      store(Object.keys(typed).length === 0 ? others : { ...others, [name]: typed });
    },
    forget(name) {
      const { [name]: form, ...others } = load();
      if (form !== undefined) store(others);
    },
  };
}
