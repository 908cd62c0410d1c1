import {
  DeliveriesQuery,
  DeliveryPage,
  Webhook,
  WebhookCreate,
  WebhookDelivery,
  type WebhookEvent,
  WebhookList,
  WebhookWithSecret,
  WebhookPatch,
} from "../webhook.ts";
import { EXAMPLE, coded, named } from "./named.ts";

const WEBHOOK = {
  url: "Where events are sent: https, and a public address. Redirects are not followed.",
  events: "The events it receives.",
  enabled: "Whether it is on. Events are not stored while it is off.",
};
const MADE = {
  id: "The webhook's id.",
  ...WEBHOOK,
  disabled_reason: "Why it was switched off automatically; null otherwise.",
  ...coded("disabled_reason"),
  created_at: "When it was created.",
};

export const WEBHOOKS = [
  named("Webhook", Webhook, "An address that receives events.", MADE),
  named("WebhookList", WebhookList, "All webhooks.", {}),
  named("WebhookWithSecret", WebhookWithSecret, "A new webhook: the only response with its secret.", {
    ...MADE,
    secret:
      "The secret with which receivers verify signatures, as in Standard Webhooks (`whsec_…`). Store it: it is not shown again.",
  }),
  named("WebhookCreate", WebhookCreate, "A webhook to add.", WEBHOOK, {
    url: "https://example.com/leadloom",
    events: ["message.received", "lead.stage_changed"],
  }),
  named("WebhookPatch", WebhookPatch, "Changes to a webhook.", WEBHOOK, { enabled: true }),
  named("WebhookDelivery", WebhookDelivery, "The delivery of one event to one webhook.", {
    id: "The delivery's id.",
    event: "What happened.",
    event_id: "The header `webhook-id`: the same in every attempt and replay.",
    at: "When it happened.",
    state:
      "`failed` ones are retried for three days, then `given_up`. Without a subscription, deliveries wait at most 7 days.",
    attempts: "The number of attempts.",
    next_try_at: "When the next attempt is.",
    status: "The last HTTP status.",
    error: "What went wrong.",
    ...coded("error"),
    body: "The JSON text that is sent.",
    replay_of: "The delivery that this one repeats.",
  }),
  named("DeliveriesQuery", DeliveriesQuery, "A page of deliveries.", {
    before: "The id of the last item seen: `next` of the previous page.",
    limit: "How many.",
  }),
  named("DeliveryPage", DeliveryPage, "A page of deliveries, newest first.", {
    items: "The deliveries.",
    next: "The `before` of the next page; null on the last.",
  }),
];

const LEAD = { lead_id: "The lead.", stage_id: "The stage that it is in." };
const MESSAGE = {
  ...LEAD,
  message_id: "The message's id, as in the conversation.",
  kind: "What kind of message it is.",
  text: "The text; very long ones are cut.",
};
const CUT = { truncated: "True if the text was cut." };
const message = { lead_id: EXAMPLE.lead, stage_id: EXAMPLE.stage, message_id: EXAMPLE.message, kind: "text" };

type EventGuide = {
  description: string;
  data: Readonly<Record<string, string>>;
  /** fields that are not always there */
  maybe?: Readonly<Record<string, string>>;
  example: Readonly<Record<string, unknown>>;
};

/** What each event tells a webhook. */
export const EVENT_GUIDES: Record<WebhookEvent | "webhook.test", EventGuide> = {
  "lead.created": {
    description: "A person became a lead.",
    data: LEAD,
    example: { lead_id: EXAMPLE.lead, stage_id: EXAMPLE.stage },
  },
  "lead.stage_changed": {
    description: "A lead moved to another stage.",
    data: { ...LEAD, from_stage_id: "The stage before." },
    example: { lead_id: EXAMPLE.lead, stage_id: EXAMPLE.stage, from_stage_id: null },
  },
  "lead.opted_out": {
    description: "A person wrote an opt-out word.",
    data: LEAD,
    example: { lead_id: EXAMPLE.lead, stage_id: EXAMPLE.stage },
  },
  "message.received": {
    description: "A person wrote.",
    data: MESSAGE,
    maybe: CUT,
    example: { ...message, text: "What is the price?" },
  },
  "message.sent": {
    description: "A reply or a bulk message was sent, or the user wrote from another device.",
    data: MESSAGE,
    maybe: { ...CUT, job_id: "The bulk message." },
    example: { ...message, text: "It is 120." },
  },
  "followup.sent": {
    description: "A follow-up was sent.",
    data: MESSAGE,
    maybe: { ...CUT, step_id: "The follow-up." },
    example: { ...message, text: "Still interested, Ann?", step_id: EXAMPLE.followup },
  },
  "bulk.finished": {
    description: "A bulk message ended.",
    data: {
      job_id: "The bulk message.",
      stage_id: "The stage that it was sent to; null for all leads.",
      status: "How it ended.",
      sent_count: "How many were sent.",
      failed_count: "How many failed.",
      total_targets: "How many leads there were.",
    },
    example: {
      job_id: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e09",
      stage_id: null,
      status: "completed",
      sent_count: 40,
      failed_count: 1,
      total_targets: 41,
    },
  },
  "account.disconnected": {
    description: "The Telegram account is no longer connected.",
    data: {
      account_id: "The connection that ended.",
      state: "How it ended.",
      reason: "Why; null if the user ended it.",
    },
    example: { account_id: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e08", state: "lost", reason: "AUTH_KEY_UNREGISTERED" },
  },
  "webhook.test": {
    description: "A test event, to check that the receiver responds.",
    data: { webhook_id: "The webhook." },
    example: { webhook_id: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e07" },
  },
};
