import type { Json, Page } from "./reference.ts";

/** Returns a value that a schema of the page allows: its first example, or every field filled with a simple value. */
export function sampleOf(page: Page, schema: Json): unknown {
  const { $ref, examples, type, anyOf, properties, items } = schema as {
    $ref?: string;
    examples?: unknown[];
    type?: string | string[];
    anyOf?: Json[];
    properties?: Record<string, Json>;
    items?: Json;
  };
  if ($ref !== undefined) return sampleOf(page, page.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {});
  if (examples !== undefined) return examples[0];
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  if (anyOf?.[0] !== undefined) return sampleOf(page, anyOf[0]);
  switch ([type].flat()[0]) {
    case "object":
      return Object.fromEntries(Object.entries(properties ?? {}).map(([name, field]) => [name, sampleOf(page, field)]));
    case "array":
      return items === undefined ? [] : [sampleOf(page, items)];
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    default:
      return "2026-03-05T09:00:00.000Z";
  }
}
