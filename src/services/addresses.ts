/** Where a user's own subscription row is read through PostgREST. */
export const subscriptionAddress = (userId: string): string =>
  `/rest/v1/subscriptions?select=*&user_id=eq.${encodeURIComponent(userId)}`;

/** What the leads list asks for when its address names no filter. */
export const LEADS_ADDRESSES = ["/api/leads?limit=50&offset=0", "/api/stages", "/api/followups"];
