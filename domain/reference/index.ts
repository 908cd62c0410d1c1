import { ACCOUNT } from "./account.ts";
import { AUTOMATION } from "./automation.ts";
import { CONVERSATION } from "./conversation.ts";
import { LEADS } from "./leads.ts";
import type { Named } from "./named.ts";
import { WEBHOOKS } from "./webhooks.ts";

export { EVENT_DESCRIPTIONS } from "./events.ts";
export { EXAMPLE } from "./named.ts";
export type { Named } from "./named.ts";

/** Every schema that the API reference names, with what it and its fields mean. */
export const REFERENCE: readonly Named[] = [...LEADS, ...CONVERSATION, ...AUTOMATION, ...ACCOUNT, ...WEBHOOKS];
