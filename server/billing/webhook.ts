import type { FastifyInstance } from "fastify";
import { Stripe } from "stripe";
import { refuse } from "../core/problem.ts";
import type { Billing } from "./context.ts";
import { fulfil } from "./fulfil.ts";
import { withProvider } from "./problems.ts";

/** The maximum age of a signature (docs.stripe.com/webhooks/signature). */
const TOLERANCE_SECONDS = 300;
/** Events take a few kilobytes; an invoice with many lines takes more. */
const BODY_LIMIT = 1_048_576;

const RELEVANT =
  /^(checkout\.session\.(completed|async_payment_\w+)|customer\.(subscription\.\w+|deleted)|invoice\.(paid|payment_\w+))$/;

/** `POST /webhooks/stripe`: the only route that keeps its raw body, because the signature covers the bytes. */
export function registerWebhook(app: FastifyInstance, billing: Billing): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.post("/webhooks/stripe", { bodyLimit: BODY_LIMIT, config: { rateLimit: false } }, async (request, reply) => {
      const event = verify(billing, request.body, request.headers["stripe-signature"]);
      // A timeout or failure is answered with 503, so the provider retries.
      await withProvider(billing, receive(billing, event));
      return reply.code(200).send({ received: true });
    });
  });
}

/**
 * Parses an event whose signature matches one of the configured secrets.
 * @throws ProblemError 400 for anything else
 */
function verify({ deps, stripe }: Billing, body: unknown, header: string | string[] | undefined): Stripe.Event {
  // The simulated provider signs by the sandbox's clock, Stripe by real time.
  const now = deps.config.billing.kind === "sandbox" ? deps.clock.now() : deps.clock.wall();
  if (Buffer.isBuffer(body) && typeof header === "string") {
    for (const secret of deps.config.billing.webhookSecrets) {
      try {
        return stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS, undefined, now);
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError) && !(error instanceof SyntaxError))
          throw error;
      }
    }
  }
  throw refuse(400, "bad_signature");
}

/** Handles an event once: stores its id, and marks it as done only after its effect is stored. */
export async function receive(billing: Billing, event: Stripe.Event): Promise<void> {
  const { db, clock } = billing.deps;
  const customer = customerOf(event);
  if (customer === null || !RELEVANT.test(event.type)) return;
  await db
    .insertInto("billing_events")
    .values({ id: event.id, type: event.type, customer_id: customer, received_at: clock.iso(), processed_at: null })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const { processed_at: done } = await db
    .selectFrom("billing_events")
    .select("processed_at")
    .where("id", "=", event.id)
    .executeTakeFirstOrThrow();
  if (done !== null) return;
  const payer = await db
    .selectFrom("billing_customers")
    .select("user_id")
    .where("customer_id", "=", customer)
    .executeTakeFirst();
  if (payer !== undefined) await fulfil(billing, payer.user_id, event.type);
  await db.updateTable("billing_events").set({ processed_at: clock.iso() }).where("id", "=", event.id).execute();
}

function customerOf(event: Stripe.Event): string | null {
  const subject = event.data.object as { id?: unknown; object?: unknown; customer?: unknown };
  const customer = subject.object === "customer" ? subject.id : subject.customer;
  return typeof customer === "string" ? customer : null;
}
