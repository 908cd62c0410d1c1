import { accountPath, call, type Account, type Chat, type SandboxTime } from "./api.ts";
import { h } from "./dom.ts";
import { cardProviderCard, clockCard, deviceCard, faultCard, newPhoneCard } from "./cards.ts";
import { phone } from "./phone.ts";
import { t } from "./texts.ts";

const REFRESH_MS = 1_000;
const board = document.querySelector<HTMLElement>("#sandbox");
let chosen: string | null = null;
let openChat: number | null = null;
let shown = "";

const choose = async (number: string): Promise<void> => {
  chosen = number;
  openChat = null;
  await refresh();
};

/** Reloads everything and redraws the page if something has changed. */
async function refresh(): Promise<void> {
  const time = await call<SandboxTime>("GET", "/clock").catch(() => null);
  if (board === null || time === null) return;
  const accounts = await call<Account[]>("GET", "/telegram/accounts").catch(() => []);
  const account = accounts.find(({ phone: number }) => number === chosen) ?? accounts.at(-1) ?? null;
  const chats =
    account === null ? [] : await call<Chat[]>("GET", `${accountPath(account.phone)}/chats`).catch(() => []);
  const state = JSON.stringify([time.offset_seconds, time.now.slice(0, 16), accounts, chats, openChat, chosen]);
  if (state === shown) return;
  shown = state;
  draw(board, { time, accounts, account, chats });
}

type Shown = { time: SandboxTime; accounts: Account[]; account: Account | null; chats: Chat[] };

function draw(target: HTMLElement, { time, accounts, account, chats }: Shown): void {
  const restore = rememberFields(target);
  const phones = accounts.map(({ phone: number, first_name: name }) =>
    h(
      "button",
      { type: "button", "aria-pressed": String(number === account?.phone), onclick: () => void choose(number) },
      h("bdi", { dir: "ltr" }, number),
      ` · ${name}`,
    ),
  );
  const left = h(
    "div",
    { class: "column" },
    h(
      "section",
      { class: "card", "aria-label": t("phones") },
      h("h2", {}, t("phones")),
      ...(phones.length === 0 ? [h("p", { class: "empty" }, t("noPhones"))] : phones),
    ),
    newPhoneCard(choose),
    clockCard(time, refresh),
  );
  const middle =
    account === null
      ? h("div", { class: "phone blank" }, h("p", { class: "empty" }, t("pickUp")))
      : phone({
          account,
          chats,
          openChat,
          now: time.now,
          onOpen: (id) => ((openChat = id), void refresh()),
          onChange: refresh,
        });
  const right = h(
    "div",
    { class: "column" },
    ...(account === null ? [] : [deviceCard(account, refresh), faultCard(account)]),
    cardProviderCard(),
  );
  target.replaceChildren(left, middle, right);
  restore(target);
  target.querySelector(".messages li:last-child")?.scrollIntoView({ block: "nearest" });
}

/** Preserves typed text and the focus across a redraw. */
function rememberFields(target: HTMLElement): (target: HTMLElement) => void {
  const key = (element: Element) =>
    `${element.closest("form")?.getAttribute("aria-label")} ${element.getAttribute("name")}`;
  const fields = [...target.querySelectorAll<HTMLInputElement>("input, select")].map(
    (element) => [key(element), element.value] as const,
  );
  const focused = document.activeElement === null ? null : key(document.activeElement);
  return (drawn) => {
    for (const element of drawn.querySelectorAll<HTMLInputElement>("input, select")) {
      const value = fields.find(([name]) => name === key(element))?.[1];
      if (value !== undefined) element.value = value;
      if (focused === key(element)) element.focus();
    }
  };
}

await refresh();
setInterval(() => void refresh(), REFRESH_MS);
