import { msg, plural } from "@lingui/core/runtime-macro";
import type { UiText } from "../../domain/ui-text.ts";
import type { Visitor } from "../visitor.ts";
import { offerOf } from "./checkout.ts";
import { day, html, money, page } from "./html.ts";
import { price, product } from "./catalogue.ts";
import type { Session } from "./wire.ts";
import { seconds, type World } from "./world.ts";

export const TEST_PAGE = msg`Test page: no money moves`;
const BACK = msg`Back`;
const DESCRIPTION = msg`Telegram conversations as leads, followed up at the right hour.`;

/** The hosted checkout page: the product, a test card, and buttons to pay, decline or go back. */
export function checkoutPage({ locale, write }: Visitor, world: World, session: Session, wasDeclined: boolean): string {
  const { trial_period_days: trialDays } = offerOf(world, session.id);
  const amount = money(price.unit_amount, price.currency, locale);
  const action = `/sandbox/billing/checkout/${session.id}/pay`;
  const date = day(seconds(world) + trialDays * 86_400, locale);
  const isTrial = trialDays > 0;
  const title = write(msg`Subscribe to ${{ product: product.name }}`);
  const aMonth = write(msg`${{ amount }} a month`);
  return page(
    locale,
    title,
    html`<main>
      <section>
        <p class="badge">${write(TEST_PAGE)}</p>
        <h1>${title}</h1>
        <p class="price">${aMonth}</p>
        <p class="quiet">
          ${isTrial ? write(msg`${plural({ days: trialDays }, { one: "# day", other: "# days" })} free, then ${{ amount }} a month from ${{ date }}.`) : write(DESCRIPTION)}
        </p>
      </section>
      <section>
        <h2>${write(msg`Card`)}</h2>
        <div class="plastic">
          <span>${write(msg`Test card`)} <i>VISA</i></span>
          <b dir="ltr">4242 4242 4242 4242</b>
          <span>Alex Example <i>12/34</i></span>
        </div>
        ${wasDeclined ? html`<p role="alert">${write(msg`Your card was declined. Nothing was paid. Try again, or go back.`)}</p>` : null}
        <form method="post" action="${action}">
          <button class="main">${write(isTrial ? msg`Start trial` : msg`Pay ${{ amount }}`)}</button>
          ${
            session.payment_method_collection === "if_required"
              ? html`<button name="card" value="none">${write(msg`Start trial without a card`)}</button>`
              : null
          }
          <button class="bad" name="decline" value="true">${write(msg`Decline`)}</button>
          ${session.cancel_url === null ? null : html`<a class="button" href="${session.cancel_url}">${write(BACK)}</a>`}
        </form>
        <p class="note">
          ${write(msg`The card provider is simulated. “Decline” shows what a refused card looks like.`)}
        </p>
      </section>
    </main>`,
  );
}

/** The page for an address that is no longer valid. */
export const gonePage = ({ locale, write }: Visitor, text: UiText, backTo: string): string =>
  page(
    locale,
    write(msg`Nothing to pay here`),
    html`<main>
      <section>
        <h1>${write(text)}</h1>
        <a class="button" href="${backTo}">${write(BACK)}</a>
      </section>
    </main>`,
  );
