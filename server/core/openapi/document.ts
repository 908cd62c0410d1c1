import { EVENT_DESCRIPTIONS } from "../../../domain/reference/index.ts";
import { RELEASE } from "../release.ts";
import { createSchemaBook, type Json, type SchemaBook } from "./schemas.ts";
import { operationOf, type Spec } from "./operation.ts";
import { TAGS } from "./tags.ts";
import { webhooksOf } from "./webhooks.ts";

const DESCRIPTION = `The API of Leadloom: the calls that its browser app makes, for other programs.

**Authentication.** Send an API key from Settings (\`llk_…\`) or a session's access token as \`Authorization: Bearer …\`. Keys have independent scopes: \`read\`; \`send\` for sending (replies, manual follow-ups, bulk messages) and for resuming what was held or stopped; \`write\` for all other changes. A key with only \`write\` does not send directly, but it changes what automation sends (follow-ups, reminders, stages, settings), and a webhook that it adds receives message texts. Calls that need a session say so.

**Formats.** JSON in UTF-8. Times are ISO 8601 in UTC. Unknown body fields and unknown filters are refused. Responses may get new fields at any time.

**Errors** are a Problem: a message for people, a code for programs, and the problem of each invalid field. Other accounts' items return 404, like items that do not exist.

**Retries.** Calls with an \`Idempotency-Key\` run once per key and repeat the first response for a week. After 429 and 503, wait for \`Retry-After\`.

**Pagination.** Pass a list's \`next\` as \`before\` to get the next page; it is null on the last page.`;

const RATE_LIMIT = {
  RateLimit: {
    description: "What is left of the key's limit, and the seconds until it is full again. Only for API keys.",
    schema: { type: "string" },
  },
  RateLimitPolicy: {
    description: "The key's limit and its window. Only for API keys.",
    schema: { type: "string" },
  },
};

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
          description: "An API key from Settings. Its scopes limit what it may do.",
        },
        session: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The access token of a signed-in user, as Supabase's client gets it from /auth/v1.",
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
        RetryAfter: {
          description: "Seconds to wait before the next attempt.",
          schema: { type: "integer", minimum: 1 },
        },
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

/** Describes a server-sent event: the name in its line `event`, the rest in its line `data`. */
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
