import { createRequire } from "node:module";
import { LAYER_198, PLAINER_IN_LAYER_198 } from "./layer-198.ts";

/** An argument of a constructor or method. */
export type Field = {
  readonly key: string;
  readonly type: string;
  readonly vector: boolean;
  /** the flags word and bit that mark an optional field */
  readonly flag?: { readonly word: string; readonly bit: number };
};

export type Definition = {
  readonly name: string;
  readonly kind: "class" | "method";
  readonly id: number;
  readonly fields: readonly Field[];
};

type SchemaEntry = {
  kind: "class" | "method";
  name: string;
  id: number;
  arguments: {
    name: string;
    type: string;
    typeModifiers?: { predicate?: string; isVector?: boolean; isBareVector?: boolean };
  }[];
};

const camelCase = (name: string): string =>
  name.replace(/_([a-zA-Z0-9])/g, (_match, letter: string) => letter.toUpperCase());

const flagOf = (predicate: string | undefined): Pick<Field, "flag"> => {
  if (predicate === undefined) return {};
  const [word = "flags", bit = "0"] = predicate.split(".");
  return { flag: { word, bit: Number(bit) } };
};

function fromEntry(entry: SchemaEntry): Definition {
  const fields = entry.arguments.map((argument) => ({
    key: argument.type === "#" ? argument.name : camelCase(argument.name),
    type: argument.type,
    vector: argument.typeModifiers?.isVector === true || argument.typeModifiers?.isBareVector === true,
    ...flagOf(argument.typeModifiers?.predicate),
  }));
  return { name: entry.name, kind: entry.kind, id: entry.id >>> 0, fields };
}

/**
 * Parses one line of a TL schema (https://core.telegram.org/mtproto/TL-formal), `name#id field:Type … = Result;`. Ids that are below 2^53
 * in the current layer are numbers here too.
 */
function fromLine(line: string, kind: Definition["kind"], current: Definition | undefined): Definition {
  const match = /^([\w.]+)#([0-9a-f]+)\s*(.*?)\s*=\s*[\w.<> ]+;$/.exec(line);
  if (match === null) throw new Error(`not a TL definition: ${line}`);
  const [, name = "", id = "0", body = ""] = match;
  const fields = body
    .split(/\s+/)
    .filter((part) => part !== "" && !part.startsWith("{"))
    .map((part): Field => {
      const [rawName = "", rawType = ""] = part.split(":");
      const [condition, conditional] = rawType.includes("?") ? rawType.split("?") : [undefined, rawType];
      const vector = /^[Vv]ector<(.*)>$/.exec(conditional ?? "");
      const type = vector?.[1] ?? conditional ?? "";
      const key = type === "#" ? rawName : camelCase(rawName);
      const same = current?.fields.find((field) => field.key === key);
      return {
        key,
        type: type === "long" && same?.type === "int53" ? "int53" : type,
        vector: vector !== null,
        ...flagOf(condition),
      };
    });
  return { name, kind, id: Number.parseInt(id, 16), fields };
}

const require = createRequire(import.meta.url);
const api = require("@mtcute/core/tl/api-schema.json") as { l: number; e: SchemaEntry[] };
const mtproto = require("@mtcute/core/tl/mtp-schema.json") as SchemaEntry[];

/** The network's default API layer. */
export const CURRENT_LAYER = api.l;
const OLDER_LAYER = 198;

const byId = new Map<number, Definition>();
const current = new Map<string, Definition>();
const older = new Map<string, Definition>();

for (const entry of [...mtproto, ...api.e]) {
  const definition = fromEntry(entry);
  byId.set(definition.id, definition);
  current.set(definition.name, definition);
}
let section: Definition["kind"] = "class";
for (const line of LAYER_198.split("\n").map((text) => text.trim())) {
  if (line === "---functions---") section = "method";
  else if (line !== "") {
    const definition = fromLine(line, section, current.get(line.slice(0, line.indexOf("#"))));
    byId.set(definition.id, definition);
    older.set(definition.name, definition);
  }
}

/** Returns the definition of a constructor or method id; ids are unique across layers. */
export function definitionById(id: number): Definition | undefined {
  return byId.get(id >>> 0);
}

/** Returns a constructor's definition for a client with `layer` (invokeWithLayer). */
export function definitionByName(name: string, layer: number): Definition | undefined {
  return (layer <= OLDER_LAYER ? older.get(name) : undefined) ?? current.get(name);
}

/** Returns the field that replaces the whole constructor in an older layer, if any. */
export function plainerField(name: string, layer: number): string | undefined {
  return layer <= OLDER_LAYER ? PLAINER_IN_LAYER_198[name] : undefined;
}
