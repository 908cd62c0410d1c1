import * as v from "valibot";
import { Subscription } from "../../domain/subscription.ts";
import { subscriptionAddress } from "./addresses.ts";
import { takePrefetched } from "./prefetched.ts";

const Rows = v.pipe(v.array(Subscription), v.maxLength(1));

/**
 * Returns the prefetched subscription row, null for none. Undefined if it was not prefetched or the token was refused: then the client
 * reads it, which can renew the token. Rejects without a response or on another refusal.
 */
export async function readOpenedSubscription(
  userId: string,
  accessToken: string | null,
  signal: AbortSignal,
): Promise<Subscription | null | undefined> {
  const answer = await takePrefetched(subscriptionAddress(userId), `Bearer ${accessToken}`, signal);
  if (answer === null || answer.status === 401) return undefined;
  if (answer.status >= 400) throw new Error(`The subscription was answered with ${answer.status}`);
  return v.parse(Rows, answer.data)[0] ?? null;
}
