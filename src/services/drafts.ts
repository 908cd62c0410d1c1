import * as v from "valibot";
import { readJson } from "../../domain/read-json.ts";
import type { SafeStorage } from "./storage.ts";

/** What a person typed into one form and did not send yet. It is stored as `Stored` and read as `Form`. */
export type Draft<Form, Stored = Form> = {
  /** The fields that were typed, as far as they fit their schemas; null when there are none. */
  read: () => Partial<Form> | null;
  /** Keeps the fields that differ from the server's; a form without such fields is forgotten. */
  write: (form: Stored, server: Partial<Stored>) => void;
  /** Forgets the form: what was typed into it has become what it was for. */
  forget: () => void;
};

/** The drafts of one person, kept over a change of screen and a reload. */
export type Drafts = {
  /** The draft under a name, which outlives a deploy: the same object for the same name. */
  of: <Fields extends v.ObjectEntries>(
    name: string,
    fields: Fields,
  ) => Draft<{ [F in keyof Fields]: v.InferOutput<Fields[F]> }, { [F in keyof Fields]: v.InferInput<Fields[F]> }>;
};

const KEY = "leadloom_drafts";
const Fields = v.record(v.string(), v.unknown());
type Fields = v.InferOutput<typeof Fields>;
const Kept = v.object({ user: v.string(), forms: v.record(v.string(), v.fallback(Fields, {})) });

/** A field that is stored as JSON text. */
export const jsonText = <Schema extends v.GenericSchema>(schema: Schema) => v.pipe(v.string(), v.parseJson(), schema);

/**
 * Keeps drafts in one entry of session storage. Another user's are not read, and go with the first that is written; nothing is
 * written while `isElse` says that somebody else uses the page.
 */
export function createDrafts(
  storage: SafeStorage,
  userId: () => string,
  { key = KEY, isElse = () => false }: { key?: string; isElse?: () => boolean } = {},
): Drafts {
  const known = new Map<string, Draft<never>>();
  const load = (): Record<string, Fields> => {
    const kept = readJson(Kept, storage.get(key));
    return kept?.user === userId() ? kept.forms : {};
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
        const typed = Object.entries(fields).flatMap(([field, schema]) => {
          const { success, output } = v.safeParse(schema, load()[name]?.[field]);
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

/** Where the drafts lie of somebody who is not signed in. */
export const VISITOR_KEY = "leadloom.visitor_drafts";

/** Whose it is, and under which keys it lies. */
const OWNER = "leadloom.typed_by";
const TYPED = [KEY, "leadloom.notes.", "leadloom.bulk_", "leadloom.request_keys"];

/** What was typed in this tab and not sent, whichever screen keeps it: it lies there for one person alone. */
export const createTyped = (storage: SafeStorage) => {
  const clear = () => {
    for (const prefix of [...TYPED, OWNER]) storage.removeAll(prefix);
  };
  return {
    /** From now on it is this user's; what another one left is forgotten, and what was typed before anybody was signed in. */
    belongTo(userId: string) {
      storage.remove(VISITOR_KEY);
      const owner = storage.get(OWNER);
      if (owner === userId) return;
      if (owner !== null) clear();
      storage.set(OWNER, userId);
    },
    /** Forgets all of it. */
    clear,
  };
};
