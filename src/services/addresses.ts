import { isWideScreen } from "./wide-screen.ts";

/** The PostgREST address of a user's own subscription row. */
export const subscriptionAddress = (userId: string): string =>
  `/rest/v1/subscriptions?select=*&user_id=eq.${encodeURIComponent(userId)}`;

/** The API path of a lead. */
export const leadPath = (leadId: string): string => `/leads/${encodeURIComponent(leadId)}`;

const LEAD = /^\/leads\/([^/]+)\/*$/;

/** Returns the lead of a conversation's address; null for other addresses. */
export const leadIdOf = (pathname: string): string | null => LEAD.exec(pathname)?.[1] ?? null;

/** The requests that a conversation needs before it shows anything. */
export const conversationAddresses = (leadId: string): string[] => [
  `/api/leads/${leadId}`,
  `/api/leads/${leadId}/messages?limit=50`,
];

/** The requests of the leads list without filters. */
export const leadsAddresses = (): string[] => [
  `/api/leads?limit=50&offset=0${isWideScreen() ? "&include=last_message" : ""}`,
  "/api/stages",
  "/api/followups",
];
