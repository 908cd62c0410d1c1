import * as v from "valibot";

/** What a text of JSON tells by the schema; null where it is damaged, or there is none. */
export function readJson<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string | null,
): v.InferOutput<Schema> | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text ?? "null"));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
