import * as v from "valibot";
import { readJson } from "../../domain/read-json.ts";
import type { SafeStorage } from "./storage.ts";

/** A form's unsent input. It is stored as `Stored` and read as `Form`. */
export type Draft<Form, Stored = Form> = {
  /** The typed fields that match their schemas; null if there are none. */
  read: () => Partial<Form> | null;
  /** Stores the fields that differ from the server's, or removes the draft if none do. */
  write: (form: Stored, server: Partial<Stored>) => void;
  /** Removes the draft, once the form is sent or discarded. */
  forget: () => void;
};

/** One user's drafts. They survive a change of screen and a reload. */
export type Drafts = {
  /** Returns the draft with this name, always the same object. A name must not change between releases. */
  of: <Fields extends v.ObjectEntries>(
    name: string,
    fields: Fields,
  ) => Draft<{ [F in keyof Fields]: v.InferOutput<Fields[F]> }, { [F in keyof Fields]: v.InferInput<Fields[F]> }>;
};

const KEY = "leadloom_drafts";
const Fields = v.record(v.string(), v.unknown());
type Fields = v.InferOutput<typeof Fields>;
const StoredDrafts = v.object({ user: v.string(), forms: v.record(v.string(), v.fallback(Fields, {})) });

/** A field that is stored as JSON text. */
export const jsonText = <Schema extends v.GenericSchema>(schema: Schema) => v.pipe(v.string(), v.parseJson(), schema);

/**
 * Keeps drafts in one entry of session storage. Another user's drafts are ignored, and overwritten by the first write. Nothing is
 * written while `isElse` says that another user has signed in.
 */
export function createDrafts(
  storage: SafeStorage,
  userId: () => string,
  { key = KEY, isElse = () => false }: { key?: string; isElse?: () => boolean } = {},
): Drafts {
  const known = new Map<string, Draft<never>>();
  const load = (): Record<string, Fields> => {
    const drafts = readJson(StoredDrafts, storage.get(key));
    return drafts?.user === userId() ? drafts.forms : {};
  };
  const replace = (name: string, typed: Fields) => {
    const { [name]: _before, ...others } = load();
    const forms = Object.keys(typed).length === 0 ? others : { ...others, [name]: typed };
    if (Object.keys(forms).length === 0) storage.remove(key);
    else storage.set(key, JSON.stringify({ user: userId(), forms }));
  };
  const create = (name: string, fields: v.ObjectEntries): Draft<Fields> => {
    return {
      read() {
        const stored = load()[name] ?? {};
        const typed = Object.entries(fields).flatMap(([field, schema]) => {
          const { success, output } = v.safeParse(schema, stored[field]);
          return success && output !== undefined ? [[field, output]] : [];
        });
        return typed.length === 0 ? null : Object.fromEntries(typed);
      },
      write(form, server) {
        const isTyped = (field: string) => JSON.stringify(form[field]) !== JSON.stringify(server[field]);
        const typed = Object.keys(fields).filter(isTyped);
        if (!isElse()) replace(name, Object.fromEntries(typed.map((field) => [field, form[field]])));
      },
      forget() {
        if (load()[name] !== undefined) replace(name, {});
      },
    };
  };
  return {
    of(name, fields) {
      const draft = known.get(name) ?? (create(name, fields) as Draft<never>);
      known.set(name, draft);
      return draft as never;
    },
  };
}

export const VISITOR_KEY = "leadloom.visitor_drafts";

/** The user id of these drafts, and the keys that hold them. */
const OWNER = "leadloom.typed_by";
const TYPED = [KEY, "leadloom.notes.", "leadloom.bulk_", "leadloom.request_keys"];

/** All drafts of this tab, on any screen. They belong to one user. */
export const createTyped = (storage: SafeStorage) => {
  const clear = () => {
    for (const prefix of [...TYPED, OWNER]) storage.removeAll(prefix);
  };
  return {
    /** Assigns the drafts to this user: clears those of another user, and those from before the sign-in. */
    belongTo(userId: string) {
      storage.remove(VISITOR_KEY);
      const owner = storage.get(OWNER);
      if (owner === userId) return;
      if (owner !== null) clear();
      storage.set(OWNER, userId);
    },
    clear,
  };
};
