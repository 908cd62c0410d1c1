import { day, html, money, page, type Html } from "./html.ts";
import { hasEnded } from "./lifecycle.ts";
import { product } from "./catalogue.ts";
import type { Customer, Invoice, PortalSession, Subscription } from "./wire.ts";
import { itemOf, type World } from "./world.ts";

const MOST_INVOICES = 12;

/** The hosted page on which a customer manages what it pays for. */
export function portalPage(world: World, session: PortalSession): string {
  const customer = world.store.get("customer", session.customer);
  const subscriptions = world.store.list("subscription", { customer: session.customer });
  const invoices = world.store.list("invoice", { customer: session.customer }).slice(0, MOST_INVOICES);
  const shown = subscriptions.filter((subscription, index) => index === 0 || !hasEnded(subscription));
  const base = `/sandbox/billing/portal/${session.id}`;
  return page(
    `Billing of ${customer?.email ?? "a customer"}`,
    html`<main>
      <section>
        <p class="badge">Test page: no money moves</p>
        <h1>Your plan</h1>
        <p class="quiet">${customer?.email ?? ""}</p>
        ${session.return_url === null ? null : html`<a class="button" href="${session.return_url}">Back to ${product.name}</a>`}
      </section>
      ${shown.length === 0 ? html`<section><p>There is no subscription yet.</p></section>` : shown.map((subscription) => planSection(base, subscription))}
      ${cardSection(base, customer)} ${invoices.length === 0 ? null : invoiceSection(invoices)}
    </main>`,
  );
}

/** A subscription's state in one sentence. */
function sentence(subscription: Subscription): string {
  const end = day(itemOf(subscription).current_period_end);
  if (subscription.status === "canceled") return `Ended on ${day(subscription.ended_at ?? subscription.created)}.`;
  if (subscription.cancel_at !== null) return `Ends on ${day(subscription.cancel_at)}. Nothing more will be charged.`;
  if (subscription.status === "trialing") return `Free until ${end}.`;
  if (subscription.status === "past_due" || subscription.status === "unpaid")
    return "The last payment failed. Update the card to keep the plan.";
  if (subscription.status === "paused") return "The trial is over and no card was given. The plan is paused.";
  if (subscription.status === "incomplete" || subscription.status === "incomplete_expired")
    return "The first payment was never finished.";
  return `Renews on ${end}.`;
}

function planSection(base: string, subscription: Subscription): Html {
  const { price } = itemOf(subscription);
  const isOver = hasEnded(subscription);
  const field = html`<input type="hidden" name="subscription" value="${subscription.id}" />`;
  return html`<section>
    <h2>${price.nickname ?? product.name}</h2>
    <p class="price">${money(price.unit_amount ?? 0, price.currency)} <small>a month</small></p>
    <p>${sentence(subscription)}</p>
    ${
      isOver
        ? null
        : subscription.cancel_at === null
          ? html`<form method="post" action="${base}/cancel">
              ${field}<button>Cancel at the end of the period</button>
            </form>`
          : html`<form method="post" action="${base}/renew">${field}<button class="main">Don't cancel</button></form>`
    }
    ${
      isOver
        ? null
        : html`<form method="post" action="${base}/end">${field}<button class="bad">Cancel now</button></form>`
    }
  </section>`;
}

function cardSection(base: string, customer: Customer | null): Html {
  const card = customer?.invoice_settings.default_payment_method ?? null;
  const text =
    card === null
      ? "No card."
      : card === "pm_card_chargeCustomerFail"
        ? "Visa ending in 0341: every charge will be declined."
        : "Visa ending in 4242.";
  return html`<section>
    <h2>Card</h2>
    <p>${text}</p>
    <form method="post" action="${base}/card">
      <button>${card === null ? "Add a card" : "Update the card"}</button>
      <button class="bad" name="declines" value="true">Use a card that will be declined</button>
    </form>
  </section>`;
}

const invoiceSection = (invoices: Invoice[]): Html =>
  html`<section>
    <h2>Invoices</h2>
    <ul>
      ${invoices.map(
        (invoice) =>
          html`<li>
            <span>${day(invoice.created)}</span><span>${money(invoice.total, invoice.currency)}</span
            ><span class="${invoice.status === "paid" ? "good" : "due"}">${invoice.status ?? "open"}</span>
          </li>`,
      )}
    </ul>
  </section>`;
