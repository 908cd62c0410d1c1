import type * as v from "valibot";
import { Done } from "../../../domain/schema-parts.ts";
import { Problem } from "../../../domain/problem.ts";
import { refusal, refusalName, type Code, type Refuses } from "./refusals.ts";
import { examplesOf, fieldsOf, type Json, type SchemaBook } from "./schemas.ts";
import type { TagName } from "./tags.ts";

type Schema = v.GenericSchema;

/** What a call adds to the document, besides the schemas that check it. */
export type Reference = {
  /** the operation id; it stays the same even if the address changes */
  id: string;
  /** a single line */
  summary: string;
  /** details beyond the summary */
  description?: string;
  tag: TagName;
  /** error codes in addition to those that follow from the declaration */
  refuses?: Refuses;
  /** the fields and the file of a multipart body; if the file is optional, the fields may be sent as JSON */
  form?: { fields: Schema; file: { name: string; description: string; isRequired?: true } };
  /** the content type of a response that is not the JSON of `answer` */
  media?: string | readonly string[];
  /** other statuses with the same `answer`, and when */
  also?: Readonly<Record<number, string>>;
};

export type Spec = Reference & {
  method: unknown;
  url: string;
  gate: "public" | "signedIn" | "subscribed";
  scope: string | readonly string[];
  params?: Schema;
  query?: Schema;
  body?: Schema;
  answer?: Schema;
  status?: number;
  consumes?: "multipart";
  takesKey?: true;
  takesMatch?: true;
  takesVersion?: true;
};

const SUCCESS: Readonly<Record<number, string>> = {
  200: "Done",
  201: "Created",
  202: "Accepted; runs in the background",
};
const takesKeys = ({ gate, scope }: Spec): boolean => gate !== "public" && scope !== "person";

/** Returns the error codes that follow from a call's declaration, and those of `refuses`. */
function codesOf(spec: Spec): Map<number, Code[]> {
  const codes = new Map<number, Code[]>();
  const add = (status: number, ...more: readonly Code[]) => codes.set(status, [...(codes.get(status) ?? []), ...more]);
  const hasBody = spec.body !== undefined || spec.consumes === "multipart";
  if (hasBody) add(400, "bad_request");
  if (spec.gate !== "public") add(401, "unauthorized", "token_expired", "session_not_found", "bad_jwt");
  if (spec.gate === "subscribed") add(402, "subscription_required");
  if (spec.gate !== "public") add(403, takesKeys(spec) ? "missing_scope" : "key_not_accepted");
  if (spec.params !== undefined) add(404, "not_found");
  if (spec.gate === "subscribed" && spec.method !== "GET") add(409, "account_importing");
  if (spec.takesVersion) add(409, "stale");
  if (hasBody) add(413, "too_large");
  if (hasBody) add(415, "unsupported_media_type");
  if (hasBody || spec.query !== undefined || spec.takesKey) add(422, "invalid_input");
  if (spec.takesKey) add(422, "key_reused");
  add(429, "too_many_requests");
  add(503, "overloaded", "restarting", "database_away");
  for (const [status, more] of Object.entries(spec.refuses ?? {})) add(Number(status), ...(more ?? []));
  return codes;
}

const NOUNS: readonly [RegExp, string][] = [
  [/^\/api\/followups\/send/, "lead"],
  [/^\/api\/leads\/batch/, "job"],
  [/^\/api\/leads/, "lead"],
  [/^\/api\/exclusions/, "person, at Telegram"],
  [/^\/api\/files/, "message"],
  [/^\/api\/bulk/, "job"],
];

/** Returns the description of an id in the address, such as 'The id of the stage.' */
function descriptionOfParam(url: string, name: string): string {
  const noun = NOUNS.find(([pattern]) => pattern.test(url))?.[1];
  if (noun !== undefined && name !== "delivery") return `The id of the ${noun}.`;
  const segment = url.split("/").at(url.split("/").indexOf(`:${name}`) - 1) ?? "";
  return `The id of the ${segment.replace(/ies$/, "y").replace(/s$/, "").replace("followup", "follow-up")}.`;
}

function parametersOf(spec: Spec, book: SchemaBook): Json[] {
  const path = [...spec.url.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: descriptionOfParam(spec.url, name),
    schema: fieldsOf(spec.params as Schema).find((field) => field.name === name)?.schema ?? { type: "string" },
  }));
  const query =
    spec.query === undefined
      ? []
      : fieldsOf(spec.query).map(({ schema, ...field }) => ({ ...field, in: "query", schema: book.settle(schema) }));
  const headers = [
    ...(spec.takesKey ? ["IdempotencyKey"] : []),
    ...(spec.takesMatch ? ["IfMatch"] : []),
    ...(spec.takesVersion ? ["IfVersion"] : []),
  ];
  return [...path, ...query, ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

function formOf({ fields, file }: NonNullable<Reference["form"]>, book: SchemaBook, hasFile: boolean): Json {
  const texts = fieldsOf(fields);
  const examples = examplesOf(fields);
  const required = [
    ...texts.filter((field) => field.required).map(({ name }) => name),
    ...(hasFile && file.isRequired ? [file.name] : []),
  ];
  return {
    type: "object",
    additionalProperties: false,
    ...(examples.length === 0 ? {} : { examples }),
    ...(required.length === 0 ? {} : { required }),
    properties: {
      ...Object.fromEntries(
        texts.map(({ name, description, schema }) => [name, { ...book.settle(schema), description }]),
      ),
      ...(hasFile
        ? {
            [file.name]: {
              type: "string",
              contentMediaType: "application/octet-stream",
              description: file.description,
            },
          }
        : {}),
    },
  };
}

function requestBodyOf(spec: Spec, book: SchemaBook): Json {
  if (spec.form !== undefined) {
    const content = {
      ...(spec.form.file.isRequired ? {} : { "application/json": { schema: formOf(spec.form, book, false) } }),
      "multipart/form-data": { schema: formOf(spec.form, book, true) },
    };
    return { requestBody: { required: true, content } };
  }
  if (spec.body === undefined) return {};
  return { requestBody: { required: true, content: { "application/json": { schema: book.of(spec.body, "input") } } } };
}

function contentOf(spec: Spec, book: SchemaBook): Json {
  if (spec.media === undefined) return { "application/json": { schema: book.of(spec.answer ?? Done, "output") } };
  return Object.fromEntries([spec.media].flat().map((media) => [media, { schema: schemaOf(media) }]));
}

function schemaOf(media: string): Json {
  if (media === "text/event-stream") return { $ref: "#/components/schemas/LiveEvent" };
  if (media === "application/json") return { type: "object", additionalProperties: true };
  return media.startsWith("text/") ? { type: "string" } : { type: "string", contentMediaType: media };
}

/** References an error response by name if several calls share it. */
function share(status: number, codes: readonly Code[], book: SchemaBook): Json {
  const name = refusalName(status, codes);
  book.of(Problem, "output");
  return name === null ? refusal(status, codes) : { $ref: book.response(name, refusal(status, codes)) };
}

/** Describes a status that is either a success or an error. */
function eitherOf(refused: Json, description: string, content: Json): Json {
  const schemas = [refused["content"], content].map(
    (held) => (held as { "application/json": Json })["application/json"]["schema"],
  );
  return {
    ...refused,
    description: `${description}. Or: ${String(refused["description"])}`,
    content: { "application/json": { schema: { anyOf: schemas } } },
  };
}

export function operationOf(spec: Spec, book: SchemaBook): Json {
  const isOpen = spec.gate === "public";
  const scopes = [spec.scope].flat();
  const scope = isOpen
    ? "Needs neither key nor session."
    : takesKeys(spec)
      ? `A key needs the scope ${scopes.map((one) => `\`${one}\``).join(" or ")}.`
      : "Takes no key: only a person who signed in.";
  const limits = takesKeys(spec)
    ? {
        headers: {
          RateLimit: { $ref: "#/components/headers/RateLimit" },
          "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
        },
      }
    : {};
  const success = (description: string) => ({ description, ...limits, content: contentOf(spec, book) });
  const status = spec.status ?? 200;
  const parameters = parametersOf(spec, book);
  const responses: Record<string, Json> = { [status]: success(SUCCESS[status] ?? "Done") };
  for (const [refused, codes] of codesOf(spec)) responses[refused] = share(refused, [...new Set(codes)], book);
  for (const [other, description] of Object.entries(spec.also ?? {})) {
    const refused = responses[other];
    const either = () =>
      eitherOf(refusal(Number(other), codesOf(spec).get(Number(other)) ?? []), description, contentOf(spec, book));
    responses[other] = refused === undefined ? success(description) : either();
  }
  return {
    operationId: spec.id,
    summary: spec.summary,
    description: [spec.description, scope].filter(Boolean).join("\n\n"),
    tags: [spec.tag],
    security: isOpen ? [] : [{ session: [] }, ...(takesKeys(spec) ? scopes.map((one) => ({ key: [one] })) : [])],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(spec, book),
    responses,
  };
}
