import { EVENT_DESCRIPTIONS } from "../../../domain/reference/index.ts";
import { RELEASE } from "../release.ts";
import { createSchemaBook, type Json, type SchemaBook } from "./schemas.ts";
import { operationOf, type Spec } from "./operation.ts";
import { TAGS } from "./tags.ts";
import { webhooksOf } from "./webhooks.ts";

const DESCRIPTION = `The calls behind Leadloom's browser app, for other programs.

**Who calls.** A key of Settings (\`llk_…\`) or the access token of a session, each as \`Authorization: Bearer …\`. A key has scopes, independent of each other: \`read\`; \`send\` to send itself (replies, follow-ups by hand, bulk messages) and to let go on what was held or stopped; \`write\` for the rest that changes. A key with \`write\` alone sends nothing itself, but automation sends by what it changes (follow-ups, reminders, stages, settings), and a webhook that it adds carries the texts of messages to the address it names. What takes a session alone says so.

**Shapes.** JSON in UTF-8. Times are ISO 8601 in UTC. Unknown fields of a body and unknown filters are refused. New fields of answers may come at any time.

**Refusals** are a Problem: words for a person, a code for a program, and what is wrong with which field. What belongs to somebody else is answered like what does not exist: 404.

**Repeating.** Calls that take an \`Idempotency-Key\` do their work once for a key and give the first answer again for a week. After 429 and 503 wait for \`Retry-After\`.

**Pages.** Lists with \`next\` take it as \`before\` for the next page; it is null on the last.`;

const RATE_LIMIT = {
  RateLimit: {
    description:
      "What is left of the key's limit, and in how many seconds it is whole again. Only for callers with a key.",
    schema: { type: "string" },
  },
  RateLimitPolicy: {
    description: "The key's limit and its window. Only for callers with a key.",
    schema: { type: "string" },
  },
};

/** The OpenAPI 3.1 document of the calls given. */
export function documentOf(specs: readonly Spec[]): Json {
  const draft = createSchemaBook(new Set());
  pathsOf(specs, draft);
  const book = createSchemaBook(draft.bothWays());
  const paths = pathsOf(specs, book);
  return {
    openapi: "3.1.0",
    info: {
      title: "Leadloom",
      version: RELEASE,
      summary: "Leads, conversations and follow-ups of a Telegram account.",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "This installation" }],
    tags: TAGS,
    paths,
    webhooks: webhooksOf(),
    components: {
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "llk_…",
          description: "A key made in Settings. It does what its scopes allow.",
        },
        session: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The access token of a person who signed in, as Supabase's client gets it from /auth/v1.",
        },
      },
      parameters: {
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          description:
            "Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused.",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
          example: "order-1047-reply-1",
        },
        IfMatch: {
          name: "If-Match",
          in: "header",
          description:
            "The SHA-256, in hex and in quotes, of the text that the new one was written over, of an empty text where there was none. Where another stands there by now, nothing is changed.",
          schema: { type: "string", pattern: '^"[0-9a-f]{64}"$' },
          example: '"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
        },
        IfVersion: {
          name: "If-Match",
          in: "header",
          description:
            "The `ETag` of the read that this save is based on, or of the save before it. When something else was saved since, nothing is changed: the answer is 409 `stale` with `current`.",
          schema: { type: "string", minLength: 1 },
          example: '"Qm3vX8kT2yB7nR5wLc0pZA"',
        },
      },
      headers: {
        RetryAfter: { description: "Seconds to wait before the next try.", schema: { type: "integer", minimum: 1 } },
        ...RATE_LIMIT,
      },
      responses: book.responses(),
      schemas: { ...book.schemas(), ...liveEvent() },
    },
  };
}

function pathsOf(specs: readonly Spec[], book: SchemaBook): Json {
  const paths: Record<string, Json> = {};
  for (const spec of specs) {
    const path = spec.url.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [String(spec.method).toLowerCase()]: operationOf(spec, book) };
  }
  return paths;
}

/** One server-sent event: the name in its line `event`, the rest in its line `data`. */
function liveEvent(): Json {
  const options = Object.entries(EVENT_DESCRIPTIONS).map(([event, { description, data }]) => ({
    type: "object",
    description,
    required: ["event", "data"],
    properties: {
      event: { type: "string", const: event, description: "What the line `event` says." },
      data: {
        type: "object",
        description: "The JSON of the line `data`; empty where any of them may have changed.",
        properties: Object.fromEntries(
          Object.entries(data).map(([name, description]) => [name, { type: ["string", "null"], description }]),
        ),
      },
    },
  }));
  return { LiveEvent: { description: "One change, as the stream tells it.", oneOf: options } };
}
