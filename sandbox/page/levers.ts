import { accountPath, call, type Account, type SandboxTime } from "./api.ts";
import { attempt, choice, field, form, h, tell } from "./dom.ts";

const HOUR = 3600;
const jumps = [
  ["+1 hour", HOUR],
  ["+1 day", 24 * HOUR],
  ["+7 days", 7 * 24 * HOUR],
  ["+31 days", 31 * 24 * HOUR],
] as const;

const card = (title: string, ...children: (Node | string)[]): HTMLElement =>
  h("section", { class: "card", "aria-label": title }, h("h2", {}, title), ...children);

/** The clock that schedules, windows, tokens and renewals read. */
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
  return card(
    "Clock",
    h("p", { class: "now" }, new Date(time.now).toUTCString()),
    h("div", { class: "row" }, ...buttons),
  );
}

/** A phone that can log in; an unknown number gets one by itself when it asks for a code. */
export function newPhoneCard(onMade: (phone: string) => Promise<void>): HTMLElement {
  return card(
    "New phone",
    form(
      "New phone",
      "Make it",
      [
        field("phone", "Phone", { required: true, placeholder: "+15551234567", inputmode: "tel" }),
        field("password", "Two-step password (optional)", { autocomplete: "off" }),
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

/** What the phone's owner does in Telegram's settings: approve a QR code, end sessions. */
export function deviceCard(account: Account, onChange: () => Promise<void>): HTMLElement {
  const sessions = account.sessions.map(({ device, created_at: at }) =>
    h("li", {}, `${device}, since ${new Date(at).toUTCString()}`),
  );
  return card(
    "Devices",
    sessions.length === 0 ? h("p", { class: "empty" }, "No device is logged in.") : h("ul", {}, ...sessions),
    form(
      "Approve a QR code",
      "Scan and tap Yes",
      [field("qr_url", "QR code's text", { required: true, placeholder: "tg://login?token=…", autocomplete: "off" })],
      async ({ qr_url = "" }) => {
        await call("POST", `${accountPath(account.phone)}/scan`, { qr_url });
        tell("Approved on the phone.");
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
      "End all sessions",
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

/** Makes the network refuse or lose what it is asked next. */
export function faultCard(account: Account): HTMLElement {
  const options = errors.map((error) => [error, error] as const);
  return card(
    "Faults",
    form(
      "Faults",
      "Arm",
      [
        choice("error", "The next send meets", options),
        field("times", "Times", { type: "number", min: "1", max: "1000", value: "1" }),
        choice("after", "The message", [
          ["", "is not delivered"],
          ["1", "is delivered, its answer lost"],
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
        tell(`The next send will meet ${error}.`);
      },
    ),
  );
}

/** What the card provider decides, followed by its webhook. */
export function cardProviderCard(): HTMLElement {
  const statuses = ["active", "trialing", "past_due", "canceled", "unpaid", "paused"].map(
    (status) => [status, status] as const,
  );
  return card(
    "Card provider",
    form(
      "Card provider",
      "Set",
      [
        field("email", "Account's e-mail", { required: true, type: "email", placeholder: "you@example.com" }),
        choice("status", "Subscription", statuses),
      ],
      async ({ email = "", status = "" }) => {
        await call("POST", `/billing/subscriptions/${encodeURIComponent(email)}`, { status });
        tell(`The subscription of ${email} is ${status}.`);
      },
    ),
  );
}
