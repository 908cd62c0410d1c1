import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../domain/ui-text.ts";
import type { Visitor } from "../visitor.ts";
import { TEST_PAGE } from "./checkout-page.ts";
import { day, html, money, page, type Html } from "./html.ts";
import { hasEnded } from "./lifecycle.ts";
import { product } from "./catalogue.ts";
import type { Customer, Invoice, PortalSession, Subscription } from "./wire.ts";
import { itemOf, type World } from "./world.ts";

const MOST_INVOICES = 12;

/** The hosted page on which a customer manages subscriptions. */
export function portalPage(visitor: Visitor, world: World, session: PortalSession): string {
  const { locale, write } = visitor;
  const customer = world.store.get("customer", session.customer);
  const subscriptions = world.store.list("subscription", { customer: session.customer });
  const invoices = world.store.list("invoice", { customer: session.customer }).slice(0, MOST_INVOICES);
  const shown = subscriptions.filter((subscription, index) => index === 0 || !hasEnded(subscription));
  const base = `/sandbox/billing/portal/${session.id}`;
  return page(
    locale,
    write(msg`Billing of ${{ customer: customer?.email ?? "" }}`),
    html`<main>
      <section>
        <p class="badge">${write(TEST_PAGE)}</p>
        <h1>${write(msg`Your plan`)}</h1>
        <p class="quiet">${customer?.email ?? ""}</p>
        ${session.return_url === null ? null : html`<a class="button" href="${session.return_url}">${write(msg`Back to ${{ product: product.name }}`)}</a>`}
      </section>
      ${shown.length === 0 ? html`<section><p>${write(msg`There is no subscription yet.`)}</p></section>` : shown.map((subscription) => planSection(visitor, base, subscription))}
      ${cardSection(visitor, base, customer)} ${invoices.length === 0 ? null : invoiceSection(visitor, invoices)}
    </main>`,
  );
}

/** Describes a subscription's state in one sentence. */
function sentence(subscription: Subscription, { locale }: Visitor): UiText {
  const date = (at: number) => day(at, locale);
  if (subscription.status === "canceled")
    return msg`Ended on ${{ date: date(subscription.ended_at ?? subscription.created) }}.`;
  if (subscription.cancel_at !== null)
    return msg`Ends on ${{ date: date(subscription.cancel_at) }}. Nothing more will be charged.`;
  const end = date(itemOf(subscription).current_period_end);
  if (subscription.status === "trialing") return msg`Free until ${{ date: end }}.`;
  if (subscription.status === "past_due" || subscription.status === "unpaid")
    return msg`The last payment failed. Update the card to keep the plan.`;
  if (subscription.status === "paused") return msg`The trial is over and no card was given. The plan is paused.`;
  if (subscription.status === "incomplete" || subscription.status === "incomplete_expired")
    return msg`The first payment was never finished.`;
  return msg`Renews on ${{ date: end }}.`;
}

function planSection(visitor: Visitor, base: string, subscription: Subscription): Html {
  const { locale, write } = visitor;
  const { price } = itemOf(subscription);
  const isOver = hasEnded(subscription);
  const field = html`<input type="hidden" name="subscription" value="${subscription.id}" />`;
  return html`<section>
    <h2>${price.nickname ?? product.name}</h2>
    <p class="price">${write(msg`${{ amount: money(price.unit_amount ?? 0, price.currency, locale) }} a month`)}</p>
    <p>${write(sentence(subscription, visitor))}</p>
    ${
      isOver
        ? null
        : subscription.cancel_at === null
          ? html`<form method="post" action="${base}/cancel">
              ${field}<button>${write(msg`Cancel at the end of the period`)}</button>
            </form>`
          : html`<form method="post" action="${base}/renew">
              ${field}<button class="main">${write(msg`Don't cancel`)}</button>
            </form>`
    }
    ${
      isOver
        ? null
        : html`<form method="post" action="${base}/end">
            ${field}<button class="bad">${write(msg`Cancel now`)}</button>
          </form>`
    }
  </section>`;
}

function cardSection({ write }: Visitor, base: string, customer: Customer | null): Html {
  const card = customer?.invoice_settings.default_payment_method ?? null;
  const text =
    card === null
      ? msg`No card.`
      : card === "pm_card_chargeCustomerFail"
        ? msg`Visa ending in ${{ digits: "0341" }}: every charge will be declined.`
        : msg`Visa ending in ${{ digits: "4242" }}.`;
  return html`<section>
    <h2>${write(msg`Card`)}</h2>
    <p>${write(text)}</p>
    <form method="post" action="${base}/card">
      <button>${write(card === null ? msg`Add a card` : msg`Update the card`)}</button>
      <button class="bad" name="declines" value="true">${write(msg`Use a card that will be declined`)}</button>
    </form>
  </section>`;
}

const STATUSES: Partial<Record<string, UiText>> = { paid: msg`paid`, open: msg`open` };

/** Returns an invoice's status as text; the provider's own name if it has no translation. */
function statusText(status: Invoice["status"], { write }: Visitor): string {
  const text = STATUSES[status ?? "open"];
  return text === undefined ? String(status) : write(text);
}

const invoiceSection = (visitor: Visitor, invoices: Invoice[]): Html =>
  html`<section>
    <h2>${visitor.write(msg`Invoices`)}</h2>
    <ul>
      ${invoices.map(
        (invoice) =>
          html`<li>
            <span>${day(invoice.created, visitor.locale)}</span
            ><span>${money(invoice.total, invoice.currency, visitor.locale)}</span
            ><span class="${invoice.status === "paid" ? "good" : "due"}">${statusText(invoice.status, visitor)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
