import { createRequire } from "node:module";
import { LAYER_198, PLAINER_IN_LAYER_198 } from "./layer-198.ts";

/** One argument of a constructor or method, as the codec needs it. */
export type Field = {
  readonly key: string;
  readonly type: string;
  readonly vector: boolean;
  /** the flags word and bit that say whether the field is there */
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
 * Reads one line of a TL schema (https://core.telegram.org/mtproto/TL-formal), `name#id field:Type … = Result;`.
 * Identifiers the current layer keeps below 2^53 are kept so here too.
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

/** The API layer the network speaks by itself. */
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

/** What a constructor or method id means; ids are unique over all layers. */
export function definitionById(id: number): Definition | undefined {
  return byId.get(id >>> 0);
}

/** How a constructor is written for a client that declared `layer` (invokeWithLayer). */
export function definitionByName(name: string, layer: number): Definition | undefined {
  return (layer <= OLDER_LAYER ? older.get(name) : undefined) ?? current.get(name);
}

/** The field that stands for the whole constructor in an older layer, if there is one. */
export function plainerField(name: string, layer: number): string | undefined {
  return layer <= OLDER_LAYER ? PLAINER_IN_LAYER_198[name] : undefined;
}
