import { EXAMPLE_AT } from "../../../domain/reference/named.ts";
import { EVENT_GUIDES } from "../../../domain/reference/webhooks.ts";
import type { Json } from "./schemas.ts";

const COUNTS = /_(?:count|targets)$/;
const ALWAYS = new Set([
  "lead_id",
  "job_id",
  "account_id",
  "message_id",
  "kind",
  "text",
  "status",
  "state",
  "step_id",
  "webhook_id",
]);

const typeOf = (name: string): Json => {
  if (COUNTS.test(name)) return { type: "integer" };
  if (name === "truncated") return { type: "boolean", const: true };
  return { type: ALWAYS.has(name) ? "string" : ["string", "null"] };
};

const properties = (fields: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(fields).map(([name, description]) => [name, { ...typeOf(name), description }]));

const HEADERS = [
  ["webhook-id", "The event's id: the same at every try and replay."],
  ["webhook-timestamp", "When it is sent, in seconds since 1970."],
  ["webhook-signature", "`v1,` and the signature after Standard Webhooks."],
].map(([name, description]) => ({ name, in: "header", required: true, description, schema: { type: "string" } }));

const RULES =
  "Sent after the Standard Webhooks specification: verify the signature with the webhook's secret, and do nothing twice for one `webhook-id`. Answer with 2xx within 10 seconds; anything else is tried again with growing waits for three days. Events of one lead come in their order while the receiver answers.";

const nameOf = (event: string): string =>
  `on${event.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

export const webhooksOf = (): Json =>
  Object.fromEntries(
    Object.entries(EVENT_GUIDES).map(([event, { description, data, maybe = {}, example }]) => [
      event,
      {
        post: {
          operationId: nameOf(event),
          summary: description,
          description: RULES,
          tags: ["Webhooks"],
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["type", "timestamp", "data"],
                  properties: {
                    type: { type: "string", const: event, description: "What happened." },
                    timestamp: { type: "string", format: "date-time", description: "When it happened." },
                    data: {
                      type: "object",
                      description: "Of what, by ids.",
                      required: Object.keys(data),
                      properties: properties({ ...data, ...maybe }),
                    },
                  },
                  examples: [{ type: event, timestamp: EXAMPLE_AT, data: example }],
                },
              },
            },
          },
          responses: {
            "2XX": { description: "Delivered." },
            "4XX": { description: "Tried again later." },
          },
        },
      },
    ]),
  );
