import * as v from "valibot";
import { Subscription } from "../../domain/subscription.ts";
import { subscriptionAddress } from "./addresses.ts";
import { takePrefetched } from "./prefetched.ts";

const Rows = v.pipe(v.array(Subscription), v.maxLength(1));

/**
 * The subscription row as it was asked for ahead of all code, null for none. Undefined where it was not asked for or the
 * token was refused: then the client asks, which knows how to renew it. Rejects when there was no answer or another refusal.
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
