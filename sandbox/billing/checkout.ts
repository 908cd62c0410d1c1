import { hasEnded, startSubscription, setCard } from "./lifecycle.ts";
import { ApiError, missing, type Session } from "./wire.ts";
import { emit, idOf, putSession, seconds, type World } from "./world.ts";

/** Returns a checkout in its current state: an open one past its time has expired. */
export function currentSession(world: World, id: string): Session {
  const session = world.store.get("checkout.session", id);
  if (session === null) throw missing("checkout.session", id, "session");
  if (session.status === "open" && session.expires_at <= seconds(world)) expire(world, session);
  return session;
}

export function expire(world: World, session: Session): void {
  session.status = "expired";
  session.url = null;
  putSession(world, session);
  emit(world, "checkout.session.expired", session);
}

/**
 * Pays a checkout. Paying twice is one payment.
 * @throws ApiError 402 for a declined card, 400 for a checkout that is no longer open
 */
export function payCheckout(world: World, id: string, choice: { decline: boolean; withCard: boolean }): Session {
  const session = currentSession(world, id);
  if (session.status === "complete") return session;
  if (session.status !== "open") throw new ApiError(400, "This checkout has expired. Go back and start a new one.");
  if (choice.decline) throw new ApiError(402, "Your card was declined.", { type: "card_error", code: "card_declined" });
  if (session.payment_method_collection === "always" && !choice.withCard)
    throw new ApiError(400, "This checkout needs a card.");
  const customer = idOf(session.customer) ?? "";
  const { trial_period_days: trialDays, metadata } = offerOf(world, id);
  if (choice.withCard) setCard(world, customer, false);
  const subscription = startSubscription(world, {
    customer,
    trialDays,
    paymentMethod: choice.withCard ? "pm_card_visa" : null,
    metadata,
  });
  session.status = "complete";
  session.url = null;
  session.payment_status = trialDays > 0 ? "no_payment_required" : "paid";
  session.subscription = subscription.id;
  session.invoice = idOf(subscription.latest_invoice);
  putSession(world, session);
  emit(world, "checkout.session.completed", session);
  return session;
}

/** The subscription that a checkout will create; hidden from the API until then. */
export type Offer = { trial_period_days: number; metadata: Record<string, string> };

export const keepOffer = (world: World, sessionId: string, offer: Offer): void =>
  world.store.run("insert into offers (session_id, body) values (?, ?)", sessionId, JSON.stringify(offer));

export function offerOf(world: World, sessionId: string): Offer {
  const [row] = world.store.all<{ body: string }>("select body from offers where session_id = ?", sessionId);
  return row === undefined ? { trial_period_days: 0, metadata: {} } : (JSON.parse(row.body) as Offer);
}

/** Returns a customer's newest subscription that has not ended. */
export const runningSubscription = (world: World, customer: string) =>
  world.store.list("subscription", { customer }).find((subscription) => !hasEnded(subscription)) ?? null;
