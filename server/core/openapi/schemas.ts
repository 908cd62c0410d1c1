import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { Problem } from "../../../domain/problem.ts";
import { REFERENCE, type Named } from "../../../domain/reference/index.ts";

export type Json = { [key: string]: unknown };
/** Whether a request or a response is described: a default makes a field optional in requests and present in responses. */
export type Way = "input" | "output";

type Schema = v.GenericSchema;
type Pipe = { pipe?: readonly Schema[] };
type WithEntries = { entries: Record<string, Schema & { type: string; default?: unknown; wrapped?: Schema }> };

const PREFIX = "#/$defs/";

/** Returns the schema that a pipe begins with. */
const coreOf = (schema: Schema): Schema => {
  const [first] = (schema as Pipe).pipe ?? [];
  return first === undefined || first === schema ? schema : coreOf(first);
};

type Step = Schema & { operation?: unknown; requirement?: unknown; description?: string };
/** Returns all steps of a pipe, including nested pipes. */
const stepsOf = (schema: Schema): Step[] =>
  ((schema as Pipe).pipe ?? []).flatMap((step) => ((step as Pipe).pipe === undefined ? [step] : stepsOf(step)));

const byCore = new Map<Schema, Named>(REFERENCE.map((entry) => [coreOf(entry.schema), entry]));
const byName = new Map<string, Named>(REFERENCE.map((entry) => [entry.name, entry]));
const definitions = Object.fromEntries(REFERENCE.map(({ name, schema }) => [name, schema]));

/** Simplifies `{anyOf: [text, null]}` to a type with both. */
function plain(schema: Json): Json {
  const options = schema["anyOf"] as Json[] | undefined;
  if (options?.length !== 2 || options[1]?.["type"] !== "null" || typeof options[0]?.["type"] !== "string")
    return schema;
  const { anyOf: _, ...rest } = schema;
  const [some] = options;
  const values = some["enum"] as unknown[] | undefined;
  return {
    ...some,
    ...rest,
    type: [some["type"], "null"],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  };
}

/** Returns the objects that a value may be, or that a list may contain. */
function objectsIn(schema: Json): Json[] {
  if (schema["properties"] !== undefined) return [schema];
  const options = (schema["anyOf"] ?? schema["oneOf"] ?? [schema["items"] ?? []].flat()) as Json[];
  return options.flatMap(objectsIn);
}

/** Adds descriptions to fields; `field.inner` is a field of a nested object. */
function explain(schema: Json, fields: Readonly<Record<string, string>>): void {
  for (const [path, description] of Object.entries(fields)) explainField(schema, path.split("."), description);
}

function explainField(schema: Json, [name = "", ...inner]: readonly string[], description: string): void {
  for (const object of objectsIn(schema)) {
    const property = (object["properties"] as Record<string, Json>)[name];
    if (property === undefined) continue;
    if (inner.length === 0) property["description"] = description;
    else explainField(property, inner, description);
  }
}

function toJson(schema: Schema, way: Way): Json & { $defs: Record<string, Json> } {
  return toJsonSchema(schema, {
    typeMode: way,
    errorMode: "ignore",
    target: "draft-2020-12",
    definitions,
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const json = plain({ ...jsonSchema });
      const entry = byCore.get(valibotSchema);
      if (entry !== undefined) explain(json, entry.fields);
      const { entries } = valibotSchema as unknown as Partial<WithEntries>;
      if (entries === undefined) return json;
      const properties = json["properties"] as Record<string, Json>;
      // Explicit, so that a test can tell an undocumented field from one of a schema that allows any.
      if (valibotSchema.type === "loose_object") json["additionalProperties"] = true;
      if (way === "output") {
        json["required"] = Object.keys(entries).filter((key) => {
          const { type, default: standard } = entries[key] ?? { type: "" };
          return type !== "optional" || standard !== undefined;
        });
        for (const property of Object.values(properties)) delete property["default"];
      }
      if ((json["required"] as string[]).length === 0) delete json["required"];
      return json;
    },
  }) as Json & { $defs: Record<string, Json> };
}

/** Describes a query or form field as the caller sees it: texts that are parsed as numbers or booleans have those types. */
function fieldToJson(schema: Schema, way: Way = "input"): Json {
  const { wrapped, default: standard } = schema as Partial<WithEntries["entries"][string]>;
  if (wrapped !== undefined && schema.type === "optional") {
    const inner = fieldToJson(wrapped, way);
    if (standard === undefined || standard === null || standard === "") return inner;
    return { ...inner, default: inner["type"] === "string" ? standard : JSON.parse(standard as string) };
  }
  const steps = stepsOf(schema);
  const turn = steps.find(({ type }) => type === "transform");
  if (turn?.operation === Number) {
    const pattern = steps.find(({ type }) => type === "regex")?.requirement;
    const bound = (type: string) => steps.find((step) => step.type === type)?.requirement;
    const isWhole = pattern instanceof RegExp && !pattern.source.includes(".");
    const [least, most] = [bound("min_value"), bound("max_value")];
    return {
      type: isWhole ? "integer" : "number",
      minimum: least ?? 0,
      ...(most === undefined ? {} : { maximum: most }),
    };
  }
  const { options } = coreOf(schema) as { options?: readonly unknown[] };
  if (turn !== undefined && options?.join() === "true,false") return { type: "boolean" };
  const many = options?.find(
    (option) => (option as Schema).kind === "schema" && coreOf(option as Schema).type === "array",
  );
  if (many !== undefined) return fieldToJson(many as Schema, way);
  const { $defs: _, $schema: __, ...json } = toJson(schema, way);
  return json;
}

/** Returns a schema's own description. */
function descriptionOf(schema: Schema & { wrapped?: Schema }): string {
  const step = stepsOf(schema).find(({ type }) => type === "description");
  return step?.description ?? (schema.wrapped === undefined ? "" : descriptionOf(schema.wrapped));
}

/** Returns the fields of a query or form, each with its description and whether it is required. */
export function fieldsOf(schema: Schema): { name: string; required: boolean; description: string; schema: Json }[] {
  const { entries } = coreOf(schema) as unknown as Partial<WithEntries>;
  const description = byCore.get(coreOf(schema))?.fields;
  return Object.entries(entries ?? {}).map(([name, entry]) => ({
    name,
    required: entry.type !== "optional",
    description: description?.[name] ?? descriptionOf(entry),
    schema: fieldToJson(entry),
  }));
}

const sortByName = (held: ReadonlyMap<string, Json>): Record<string, Json> =>
  Object.fromEntries([...held].toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Returns example values of a named schema. */
export const examplesOf = (schema: Schema): readonly unknown[] => byCore.get(coreOf(schema))?.examples ?? [];

/**
 * Converts schemas to JSON Schema (2020-12). Named ones are collected and referenced.
 * @param bothWays names whose schema differs between requests and responses; the request's gets the suffix `Input`
 */
export function createSchemaBook(bothWays: ReadonlySet<string>) {
  const defs = { input: toJson(Problem, "input").$defs, output: toJson(Problem, "output").$defs };
  const ways = new Map<string, Set<Way>>();
  const used = new Map<string, Json>();
  const responses = new Map<string, Json>();
  const settle = (json: unknown, way: Way): unknown => {
    if (Array.isArray(json)) return json.map((item) => settle(item, way));
    if (typeof json !== "object" || json === null) return json;
    const { $ref, ...rest } = json as Json;
    const settled = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, settle(value, way)]));
    return typeof $ref === "string" ? { $ref: refTo($ref.slice(PREFIX.length), way), ...settled } : settled;
  };
  const refTo = (name: string, way: Way): string => {
    ways.set(name, (ways.get(name) ?? new Set()).add(way));
    const final = way === "input" && bothWays.has(name) ? `${name}Input` : name;
    const ref = `#/components/schemas/${final}`;
    if (used.has(final)) return ref;
    used.set(final, {});
    const entry = byName.get(name);
    const body = settle(defs[way][name], way) as Json;
    const examples = entry === undefined || entry.examples.length === 0 ? {} : { examples: entry.examples };
    used.set(final, { description: entry?.description, ...body, ...examples });
    return ref;
  };
  return {
    of(schema: Schema, way: Way): Json {
      const known = REFERENCE.find((entry) => entry.schema === schema);
      if (known !== undefined) return { $ref: refTo(known.name, way) };
      const { $defs: _, $schema: __, ...json } = toJson(schema, way);
      return settle(json, way) as Json;
    },
    /** Resolves the references in what `fieldsOf` returned. */
    settle: (json: Json) => settle(json, "input") as Json,
    /** Stores a response that several calls share. */
    response(name: string, body: Json): string {
      responses.set(name, body);
      return `#/components/responses/${name}`;
    },
    schemas: () => sortByName(used),
    responses: () => sortByName(responses),
    bothWays: (): Set<string> =>
      new Set(
        [...ways]
          .filter(
            ([name, { size }]) => size > 1 && JSON.stringify(defs.input[name]) !== JSON.stringify(defs.output[name]),
          )
          .map(([name]) => name),
      ),
  };
}
export type SchemaBook = ReturnType<typeof createSchemaBook>;
