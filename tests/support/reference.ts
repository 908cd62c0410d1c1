import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

export type Json = { [key: string]: unknown };
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Json[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, Response & { $ref?: string }>;
};
type Response = { description: string; content?: Record<string, { schema: Json }> };
export type Page = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; responses: Record<string, Response> };
};

/** Returns every call of the page. */
export const callsOf = (page: Page): { method: string; path: string; operation: Operation }[] =>
  Object.entries(page.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Forbids fields that a schema does not describe, unless it allows them explicitly. */
function closed(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(closed);
  if (typeof json !== "object" || json === null) return json;
  const copy: Json = Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, key === "examples" || key === "example" ? value : closed(value)]),
  );
  const isObject = copy["type"] === "object" && typeof copy["properties"] === "object" && copy["allOf"] === undefined;
  return isObject && copy["additionalProperties"] === undefined ? { ...copy, additionalProperties: false } : copy;
}

const pointer = (...steps: readonly string[]): string =>
  steps.map((step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/** Checks values against the API reference: every field must be described and match its description. */
export function createChecker(page: Page) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(closed(page) as Json, "page");
  const faults = (at: string, value: unknown): string[] => {
    const check = ajv.getSchema(`page#${at}`);
    if (check === undefined) return [`the page has nothing at ${at}`];
    if (check(value) === true) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message ?? ""} ${JSON.stringify(params)}`,
    );
  };
  const patterns = callsOf(page)
    .map(({ method, path, operation }) => ({
      method,
      path,
      operation,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", String.raw`\.`)}$`),
    }))
    // Fixed addresses are matched before those with a parameter.
    .toSorted((one, other) => one.path.split("{").length - other.path.split("{").length);
  const find = (method: string, address: string) => {
    const [path = ""] = address.split("?");
    return patterns.find((each) => each.method === method && each.pattern.test(path));
  };
  return {
    /** Returns the call that a request belongs to; undefined when the page does not describe it. */
    find,
    /** Returns the differences between a JSON body and its description. */
    request(method: string, address: string, body: unknown): string[] {
      const path = find(method, address)?.path ?? address;
      const place = ["paths", path, method.toLowerCase(), "requestBody", "content", "application/json", "schema"];
      return faults(pointer(...place), body);
    },
    /** Checks the body of a webhook. */
    webhook: (event: string, body: unknown) =>
      faults(pointer("webhooks", event, "post", "requestBody", "content", "application/json", "schema"), body),
    schema: (name: string, value: unknown) => faults(pointer("components", "schemas", name), value),
    /** Returns the differences between a response and its description; empty for an unknown address. */
    answer(method: string, address: string, { status, type, body }: { status: number; type: string; body: unknown }) {
      const known = find(method, address);
      if (known === undefined) return [];
      const documented = page.paths[known.path]?.[method.toLowerCase()]?.responses[String(status)];
      const shared = documented?.$ref?.split("/").at(-1);
      const response = shared === undefined ? documented : page.components.responses[shared];
      const name = `${method} ${known.path} ${status}`;
      if (response === undefined) return [`${name} is not on the page`];
      const [media = ""] = type.split(";");
      if (response.content?.[media] === undefined) {
        const isAnyFile = response.content?.["application/octet-stream"] !== undefined;
        return isAnyFile ? [] : [`${name} as ${media} is not on the page`];
      }
      if (media !== "application/json") return [];
      const place =
        shared === undefined
          ? ["paths", known.path, method.toLowerCase(), "responses", String(status)]
          : ["components", "responses", shared];
      const at = pointer(...place, "content", media, "schema");
      return faults(at, body).map((fault) => `${name}: ${fault}`);
    },
  };
}
