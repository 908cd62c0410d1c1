import { offerOf } from "./checkout.ts";
import { day, html, money, page } from "./html.ts";
import { price, product } from "./catalogue.ts";
import type { Session } from "./wire.ts";
import { seconds, type World } from "./world.ts";

/** The hosted checkout page: what is sold, a card that is always at hand, and three ways on. */
export function checkoutPage(world: World, session: Session, wasDeclined: boolean): string {
  const { trial_period_days: trialDays } = offerOf(world, session.id);
  const amount = money(price.unit_amount, price.currency);
  const action = `/sandbox/billing/checkout/${session.id}/pay`;
  const trialEnd = day(seconds(world) + trialDays * 86_400);
  const isTrial = trialDays > 0;
  return page(
    `Subscribe to ${product.name}`,
    html`<main>
      <section>
        <p class="badge">Test page: no money moves</p>
        <h1>Subscribe to ${product.name}</h1>
        <p class="price">${amount} <small>a month</small></p>
        <p class="quiet">
          ${isTrial ? `${trialDays} days free, then ${amount} a month from ${trialEnd}.` : product.description}
        </p>
      </section>
      <section>
        <h2>Card</h2>
        <div class="plastic">
          <span>Test card <i>VISA</i></span>
          <b>4242 4242 4242 4242</b>
          <span>Alex Example <i>12/34</i></span>
        </div>
        ${wasDeclined ? html`<p role="alert">Your card was declined. Nothing was paid. Try again, or go back.</p>` : null}
        <form method="post" action="${action}">
          <button class="main">${isTrial ? "Start trial" : `Pay ${amount}`}</button>
          ${
            session.payment_method_collection === "if_required"
              ? html`<button name="card" value="none">Start trial without a card</button>`
              : null
          }
          <button class="bad" name="decline" value="true">Decline</button>
          ${session.cancel_url === null ? null : html`<a class="button" href="${session.cancel_url}">Back</a>`}
        </form>
        <p class="note">The card provider is simulated. 'Decline' shows what a refused card looks like.</p>
      </section>
    </main>`,
  );
}

/** What someone sees who opens an address that no longer leads anywhere. */
export const gonePage = (text: string, backTo: string): string =>
  page(
    "Nothing to pay here",
    html`<main>
      <section>
        <h1>${text}</h1>
        <a class="button" href="${backTo}">Back</a>
      </section>
    </main>`,
  );
