import * as v from "valibot";
import { reasonEntries } from "./schema-parts.ts";
import { pageLimit } from "./message.ts";
import { fieldProblem } from "./schema-message.ts";

/** The events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = [
  "lead.created",
  "lead.stage_changed",
  "lead.opted_out",
  "message.received",
  "message.sent",
  "followup.sent",
  "bulk.finished",
  "account.disconnected",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** The test event, which the user sends to check the receiver. */
export const WEBHOOK_TEST = "webhook.test";

export const WEBHOOKS_MAX = 10;
const WEBHOOK_URL_MAX_CHARS = 2_000;
/** Maximum body size; a longer text is cut, and `truncated` says so. */
export const WEBHOOK_BODY_MAX_BYTES = 65_536;
/** A receiver that has not responded by then has failed. */
export const WEBHOOK_ANSWER_MS = 10_000;
/** Deliveries in flight to one webhook at most. */
export const WEBHOOK_IN_FLIGHT_MAX = 4;
/** How long a settled delivery can be viewed and replayed. */
export const WEBHOOK_RETENTION_DAYS = 30;
/** How long deliveries wait for their owner's access to return. */
export const WEBHOOK_ACCESS_WAIT_DAYS = 7;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Waits between the attempts of a delivery, in seconds: three days in total. After the last attempt it is given up. */
export const WEBHOOK_WAITS: readonly number[] = [
  5,
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  20 * HOUR,
  24 * HOUR + 17 * MINUTE + 25,
];

const nullableText = v.optional(v.nullable(v.string()), null);
const events = v.pipe(
  v.array(v.picklist(WEBHOOK_EVENTS)),
  v.minLength(1, fieldProblem("event_missing")),
  v.maxLength(WEBHOOK_EVENTS.length),
  v.transform((chosen) => WEBHOOK_EVENTS.filter((event) => chosen.includes(event))),
);
const url = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, fieldProblem("address_missing")),
  v.maxLength(WEBHOOK_URL_MAX_CHARS),
);

/** A webhook. `disabled_reason` says why it was switched off automatically. */
export const Webhook = v.object({
  id: v.string(),
  url: v.string(),
  events: v.array(v.picklist(WEBHOOK_EVENTS)),
  enabled: v.boolean(),
  disabled_reason: nullableText,
  ...reasonEntries("disabled_reason"),
  created_at: v.string(),
});
export type Webhook = v.InferOutput<typeof Webhook>;
export const WebhookList = v.array(Webhook);

/** The answer to `POST /webhooks`, the only one that holds the secret (`whsec_…`) by which receivers verify signatures. */
export const WebhookWithSecret = v.object({ ...Webhook.entries, secret: v.string() });
export type WebhookWithSecret = v.InferOutput<typeof WebhookWithSecret>;

export const WebhookCreate = v.strictObject({ url, events, enabled: v.optional(v.boolean(), true) });
export type WebhookCreate = v.InferOutput<typeof WebhookCreate>;

/** `PATCH /webhooks/{id}`: changes the given parts. Switching it on clears the reason why it was switched off. */
export const WebhookPatch = v.strictObject({
  url: v.optional(url),
  events: v.optional(events),
  enabled: v.optional(v.boolean()),
});
export type WebhookPatch = v.InferOutput<typeof WebhookPatch>;

const DELIVERY_STATES = ["pending", "delivered", "failed", "given_up"] as const;

/**
 * The delivery of one event to one webhook. `failed` ones are retried at `next_try_at`; `status` is the last HTTP status, `error` the
 * problem, `body` the JSON text that is sent.
 */
export const WebhookDelivery = v.object({
  id: v.string(),
  event: v.string(),
  event_id: v.string(),
  at: v.string(),
  state: v.picklist(DELIVERY_STATES),
  attempts: v.optional(v.number(), 0),
  next_try_at: nullableText,
  status: v.optional(v.nullable(v.number()), null),
  error: nullableText,
  ...reasonEntries("error"),
  body: v.string(),
  replay_of: nullableText,
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;

/** Newest first; `next` is the `before` of the next page. */
export const DeliveryPage = v.object({ items: v.array(WebhookDelivery), next: nullableText });
export type DeliveryPage = v.InferOutput<typeof DeliveryPage>;

/** The number of a delivery. */
export const DeliveryId = v.pipe(v.string(), v.regex(/^\d{1,18}$/, fieldProblem("delivery_id")));

/** `GET /webhooks/{id}/deliveries`. */
export const DeliveriesQuery = v.strictObject({ before: v.optional(DeliveryId), limit: pageLimit });
