import { hasRoom } from "./room.ts";

/** Where a user's own subscription row is read through PostgREST. */
export const subscriptionAddress = (userId: string): string =>
  `/rest/v1/subscriptions?select=*&user_id=eq.${encodeURIComponent(userId)}`;

const LEAD = /^\/leads\/([^/]+)\/*$/;

/** The lead whose conversation a page's address shows; null where it shows none. */
export const leadIdOf = (pathname: string): string | null => LEAD.exec(pathname)?.[1] ?? null;

/** What a lead's conversation asks for before it shows anything. */
export const conversationAddresses = (leadId: string): string[] => [
  `/api/leads/${leadId}`,
  `/api/leads/${leadId}/messages?limit=50`,
];

/** What the leads list asks for when its address names no filter. */
export const leadsAddresses = (): string[] => [
  `/api/leads?limit=50&offset=0${hasRoom() ? "&include=last_message" : ""}`,
  "/api/stages",
  "/api/followups",
];
