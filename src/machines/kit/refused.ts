import { failureOf } from "../../../domain/problem.ts";

/** The words of a refusal for each field that it names, by the field's first name: `events` for `events.2`. */
export function refusedFields(error: unknown): Readonly<Record<string, string>> {
  const { body } = failureOf(error);
  const fields = typeof body === "object" && body !== null && "fields" in body ? body.fields : null;
  if (typeof fields !== "object" || fields === null) return {};
  const refused: Record<string, string> = {};
  for (const [path, words] of Object.entries(fields)) {
    const name = path.split(/[.[]/)[0] ?? path;
    if (typeof words === "string") refused[name] ??= words;
  }
  return refused;
}
