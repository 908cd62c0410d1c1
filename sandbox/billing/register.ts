import fs from "node:fs";
import { msg } from "@lingui/core/runtime-macro";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as v from "valibot";
import { type Languages, notFound, parse, ProblemError } from "../server-imports.ts";
import { visitorOf } from "../visitor.ts";
import { checkoutPage, gonePage } from "./checkout-page.ts";
import { currentSession, payCheckout } from "./checkout.ts";
import { setSubscription, SubscriptionChange } from "./controls.ts";
import { cancelAtPeriodEnd, saveChanged, endSubscription, hasEnded, setCard } from "./lifecycle.ts";
import { portalPage } from "./portal-page.ts";
import type { CardProvider } from "./provider.ts";
import { ApiError, type Session, type Subscription } from "./wire.ts";
import { seconds } from "./world.ts";

const PORTAL_OPEN_SECONDS = 3_600;
const POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const css = fs.readFileSync(new URL("./pages.css", import.meta.url), "utf8");

const flag = v.pipe(
  v.union([v.boolean(), v.picklist(["true", "false"])]),
  v.transform((value) => value === true || value === "true"),
);
const PayBody = v.strictObject({ decline: v.optional(flag, false), card: v.optional(v.literal("none")) });
const PortalBody = v.strictObject({ subscription: v.optional(v.string()), declines: v.optional(flag, false) });
const FaultsBody = v.strictObject({
  held: v.optional(v.boolean()),
  shuffled: v.optional(v.boolean()),
  duplicates: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10))),
});

const sendPage = (reply: FastifyReply, page: string, status = 200) =>
  reply
    .code(status)
    .header("content-security-policy", POLICY)
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8")
    .send(page);

/**
 * Registers the hosted pages, their form actions, and the routes by which testers and tests change subscriptions and disturb webhooks.
 * @param options `customerOf`: returns the customer of an account by e-mail address, created if necessary; null for an unknown address
 */
export function registerBillingSandbox(
  app: FastifyInstance,
  provider: CardProvider,
  { customerOf, languages }: { customerOf(email: string): Promise<string | null>; languages: Languages },
): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    scope.get("/sandbox/billing/pages.css", (_request, reply) =>
      reply.header("cache-control", "max-age=300").type("text/css; charset=utf-8").send(css),
    );
    registerCheckout(scope, provider, languages);
    registerPortal(scope, provider, languages);
    scope.post<{ Params: { email: string } }>("/sandbox/billing/subscriptions/:email", async ({ params, body }) => {
      const wanted = parse(SubscriptionChange, body ?? {});
      const customer = await customerOf(params.email);
      if (customer === null) throw notFound();
      const { id, status } = provider.world.store.transact(() => setSubscription(provider.world, customer, wanted));
      await provider.settle();
      return { id, customer, status };
    });
    scope.post("/sandbox/billing/webhooks", async ({ body }) => {
      const { faults } = provider.deliveries;
      const { held, shuffled, duplicates } = parse(FaultsBody, body ?? {});
      faults.held = held ?? faults.held;
      faults.shuffled = shuffled ?? faults.shuffled;
      faults.duplicates = duplicates ?? faults.duplicates;
      await provider.settle();
      return { ...faults };
    });
  });
}

/** Rethrows the provider's refusal as the server's error format. */
function asProblem(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 404) throw notFound();
  throw new ProblemError(error.status, error.body.error.code ?? "refused", error.message);
}

function registerCheckout(app: FastifyInstance, provider: CardProvider, languages: Languages): void {
  const { world } = provider;
  type Address = { Params: { id: string }; Querystring: { declined?: string } };
  const find = (id: string): Session | null => {
    try {
      return world.store.transact(() => currentSession(world, id));
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  };
  app.get<Address>("/sandbox/billing/checkout/:id", (request, reply) => {
    const session = find(request.params.id);
    const visitor = visitorOf(languages, request);
    if (session === null) return sendPage(reply, gonePage(visitor, msg`There is no such checkout.`, "/subscribe"), 404);
    if (session.status === "complete") return reply.redirect(session.success_url ?? "/subscribe", 303);
    if (session.status === "expired") {
      return sendPage(
        reply,
        gonePage(visitor, msg`This checkout has expired.`, session.cancel_url ?? "/subscribe"),
        410,
      );
    }
    return sendPage(reply, checkoutPage(visitor, world, session, request.query.declined === "1"));
  });
  app.post<Address>("/sandbox/billing/checkout/:id/pay", async (request, reply) => {
    const { id } = request.params;
    const { decline, card } = parse(PayBody, request.body ?? {});
    const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
    try {
      const session = world.store.transact(() => payCheckout(world, id, { decline, withCard: card === undefined }));
      // Like the real provider, waits for the webhook's response before the redirect.
      await provider.settle();
      const url = session.success_url ?? "/subscribe";
      return isForm
        ? reply.redirect(url, 303)
        : { status: session.status, payment_status: session.payment_status, url };
    } catch (error) {
      if (isForm && error instanceof ApiError) {
        const wasDeclined = error.status === 402 ? "?declined=1" : "";
        return reply.redirect(`/sandbox/billing/checkout/${encodeURIComponent(id)}${wasDeclined}`, 303);
      }
      return asProblem(error);
    }
  });
}

function registerPortal(app: FastifyInstance, provider: CardProvider, languages: Languages): void {
  const { world } = provider;
  type Address = { Params: { id: string } };
  const find = (id: string) => {
    const session = world.store.get("billing_portal.session", id);
    return session === null || session.created + PORTAL_OPEN_SECONDS <= seconds(world) ? null : session;
  };
  app.get<Address>("/sandbox/billing/portal/:id", (request, reply) => {
    const session = find(request.params.id);
    const visitor = visitorOf(languages, request);
    return session === null
      ? sendPage(reply, gonePage(visitor, msg`This address has expired. Open billing again.`, "/subscribe"), 404)
      : sendPage(reply, portalPage(visitor, world, session));
  });
  const act = (
    verb: string,
    work: (customer: string, subscription: Subscription | null, declines: boolean) => void,
  ) => {
    app.post<Address>(`/sandbox/billing/portal/:id/${verb}`, async (request, reply) => {
      const session = find(request.params.id);
      if (session === null) throw notFound();
      const { subscription: id, declines } = parse(PortalBody, request.body ?? {});
      world.store.transact(() => {
        const subscription = id === undefined ? null : world.store.get("subscription", id);
        const isTheirs = subscription !== null && subscription.customer === session.customer && !hasEnded(subscription);
        work(session.customer, isTheirs ? subscription : null, declines);
      });
      await provider.settle();
      return reply.redirect(`/sandbox/billing/portal/${session.id}`, 303);
    });
  };
  act("card", (customer, _subscription, declines) => setCard(world, customer, declines));
  act("end", (_customer, subscription) => {
    if (subscription !== null) endSubscription(world, subscription, seconds(world), "cancellation_requested");
  });
  for (const [verb, wanted] of [
    ["cancel", true],
    ["renew", false],
  ] as const) {
    act(verb, (_customer, subscription) => {
      if (subscription === null) return;
      cancelAtPeriodEnd(world, subscription, wanted);
      saveChanged(world, subscription);
    });
  }
}
