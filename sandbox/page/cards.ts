import { accountPath, call, type Account, type SandboxTime } from "./api.ts";
import { momentText, t } from "./texts.ts";
import { announce, attempt, choice, field, form, h } from "./dom.ts";

const HOUR = 3600;
const jumps = [
  [t("hour"), HOUR],
  [t("day"), 24 * HOUR],
  [t("week"), 7 * 24 * HOUR],
  [t("month"), 31 * 24 * HOUR],
] as const;

const card = (title: string, ...children: (Node | string)[]): HTMLElement =>
  h("section", { class: "card", "aria-label": title }, h("h2", {}, title), ...children);

/** The clock that schedules, time windows, tokens and renewals use. */
export function clockCard(time: SandboxTime, onChange: () => Promise<void>): HTMLElement {
  const buttons = jumps.map(([label, seconds]) =>
    h(
      "button",
      {
        type: "button",
        onclick: () =>
          void attempt(async () => (await call("POST", "/clock", { advance_seconds: seconds }), onChange())),
      },
      label,
    ),
  );
  return card(t("clock"), h("p", { class: "now" }, momentText(time.now)), h("div", { class: "row" }, ...buttons));
}

/** Adds a phone that can log in. An unknown number gets an account when it requests a code. */
export function newPhoneCard(onMade: (phone: string) => Promise<void>): HTMLElement {
  return card(
    t("newPhone"),
    form(
      t("newPhone"),
      t("make"),
      [
        field("phone", t("phone"), { required: true, dir: "ltr", placeholder: "+15551234567", inputmode: "tel" }),
        field("password", t("twoStep"), { autocomplete: "off" }),
      ],
      async ({ phone = "", password = "" }) => {
        const account = await call<Account>("POST", "/telegram/accounts", {
          phone,
          ...(password === "" ? {} : { password }),
        });
        await onMade(account.phone);
      },
    ),
  );
}

/** Actions of the phone's owner in Telegram's settings: approve a QR code, end sessions. */
export function deviceCard(account: Account, onChange: () => Promise<void>): HTMLElement {
  const sessions = account.sessions.map(({ device, created_at: at }) =>
    h("li", {}, t("deviceSince", { device, time: momentText(at) })),
  );
  return card(
    t("devices"),
    sessions.length === 0 ? h("p", { class: "empty" }, t("noDevice")) : h("ul", {}, ...sessions),
    form(
      t("approveQr"),
      t("scan"),
      [
        field("qr_url", t("qrText"), {
          required: true,
          dir: "ltr",
          placeholder: "tg://login?token=…",
          autocomplete: "off",
        }),
      ],
      async ({ qr_url = "" }) => {
        await call("POST", `${accountPath(account.phone)}/scan`, { qr_url });
        announce(t("approved"));
        await onChange();
      },
    ),
    h(
      "button",
      {
        type: "button",
        disabled: sessions.length === 0,
        onclick: () =>
          void attempt(async () => (await call("POST", `${accountPath(account.phone)}/revoke`, {}), onChange())),
      },
      t("endSessions"),
    ),
  );
}

const errors = [
  "FLOOD_WAIT_30",
  "PEER_FLOOD",
  "USER_IS_BLOCKED",
  "INPUT_USER_DEACTIVATED",
  "TIMEOUT",
  "DROP_CONNECTION",
] as const;

/** Makes the network refuse or drop its next calls. */
export function faultCard(account: Account): HTMLElement {
  const options = errors.map((error) => [error, error] as const);
  return card(
    t("faults"),
    form(
      t("faults"),
      t("arm"),
      [
        choice("error", t("nextSend"), options),
        field("times", t("times"), { type: "number", min: "1", max: "1000", value: "1" }),
        choice("after", t("theMessage"), [
          ["", t("notDelivered")],
          ["1", t("answerLost")],
        ]),
      ],
      async ({ error = "", times = "1", after = "" }) => {
        for (const method of ["messages.sendMessage", "messages.sendMedia"]) {
          await call("POST", `${accountPath(account.phone)}/faults`, {
            method,
            error,
            times: Number(times),
            after_delivery: after === "1",
          });
        }
        announce(t("armed", { error }));
      },
    ),
  );
}

/** Actions of the card provider, each followed by its webhook. */
export function cardProviderCard(): HTMLElement {
  const statuses = ["active", "trialing", "past_due", "canceled", "unpaid", "paused"].map(
    (status) => [status, status] as const,
  );
  return card(
    t("cardProvider"),
    form(
      t("cardProvider"),
      t("set"),
      [
        field("email", t("email"), { required: true, type: "email", dir: "ltr", placeholder: "you@example.com" }),
        choice("status", t("subscription"), statuses),
      ],
      async ({ email = "", status = "" }) => {
        await call("POST", `/billing/subscriptions/${encodeURIComponent(email)}`, { status });
        announce(t("subscriptionIs", { email, status }));
      },
    ),
  );
}
