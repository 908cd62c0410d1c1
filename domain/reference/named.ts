import type * as v from "valibot";

/** A schema as the API reference names and explains it. */
export type Named = {
  name: string;
  schema: v.GenericSchema;
  description: string;
  /** by the field's name; `field.inner` is a field of an object inside it */
  fields: Readonly<Record<string, string>>;
  /** valid values; a test sends those of requests unchanged */
  examples: readonly unknown[];
};

type Inner = { readonly [inner: `${string}.${string}`]: string };
type Fields<S> = S extends { readonly entries: infer E } ? { readonly [K in keyof E & string]: string } & Inner : Inner;
type Example<S extends v.GenericSchema> = v.InferInput<S> | v.InferOutput<S>;

/**
 * Names a schema for the API reference. An object's fields must all be explained. It is separate from the schema so that
 * the browser, which checks with the same schemas, does not load the words.
 * @param description one sentence of what it is
 * @param fields of a union, what its variants' fields mean
 */
export const named = <const S extends v.GenericSchema>(
  name: string,
  schema: S,
  description: string,
  fields: S extends { readonly entries: object } ? Fields<S> : Readonly<Record<string, string>>,
  ...examples: Example<S>[]
): Named => ({ name, schema, description, fields, examples });

/** Describes the code and the parameters beside a reason. */
export const coded = <const Name extends string>(name: Name) =>
  ({
    [`${name}_code`]: "The reason's code; null if an earlier version stored it.",
    [`${name}_params`]: "The sentence's parameters.",
  }) as Record<`${Name}_code` | `${Name}_params`, string>;

/** The ids used in examples. A test replaces them by ids of its own account. */
export const EXAMPLE = {
  lead: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e01",
  stage: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e02",
  followup: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e03",
  tag: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e04",
  field: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e05",
  message: "1047",
} as const;

export const EXAMPLE_AT = "2026-03-05T09:00:00.000Z";
