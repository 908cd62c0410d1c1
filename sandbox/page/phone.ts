import { accountPath, call, type Account, type Chat, type Message } from "./api.ts";
import { announce, attempt, choice, field, form, h } from "./dom.ts";
import { BACK, hourText, t } from "./texts.ts";

const KINDS = ["photo", "video", "voice", "audio", "document", "sticker"] as const;

type PhoneProps = {
  account: Account;
  chats: Chat[];
  openChat: number | null;
  now: string;
  onOpen: (id: number | null) => void;
  onChange: () => Promise<void>;
};

/** An account's phone: its login code, its chats, the open chat, and a form to write as another user. */
export function phone(props: PhoneProps): HTMLElement {
  const { account, chats, openChat, now } = props;
  const chat = chats.find(({ id }) => id === openChat) ?? null;
  return h(
    "section",
    { class: "phone", "aria-label": t("phoneOf", { phone: account.phone }) },
    h("div", { class: "bar" }, h("strong", { dir: "ltr" }, account.phone), h("span", {}, hourText(now))),
    account.login_code === null ? null : code(account.login_code),
    chat === null ? chatList(props) : conversation(props, chat),
  );
}

function code(loginCode: string): HTMLElement {
  const copy = () =>
    attempt(async () => {
      await navigator.clipboard.writeText(loginCode);
      announce(t("copied"));
    });
  return h(
    "div",
    { class: "code" },
    h("span", {}, t("loginCode")),
    h("strong", { "data-testid": "login-code" }, loginCode),
    h("button", { type: "button", onclick: () => void copy() }, t("copy")),
  );
}

function chatList({ account, chats, onOpen, onChange }: PhoneProps): HTMLElement {
  const rows = chats.map((chat) => {
    const last = chat.messages.at(-1);
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "chat", onclick: () => onOpen(chat.id) },
        h("strong", { dir: "auto" }, chat.title),
        h("span", {}, ...(last === undefined ? [] : preview(last))),
      ),
    );
  });
  return h(
    "div",
    { class: "screen" },
    rows.length === 0 ? h("p", { class: "empty" }, t("noChats")) : h("ul", {}, ...rows),
    form(
      t("writeAsNew"),
      t("send"),
      [
        field("first_name", t("firstName"), { required: true, placeholder: "Grace" }),
        field("username", t("username"), { placeholder: "grace" }),
        field("text", t("message"), { required: true, placeholder: t("example") }),
      ],
      async ({ first_name = "", username = "", text = "" }) => {
        const from = { first_name, ...(username === "" ? {} : { username: username.replace(/^@/, "") }) };
        const { user_id } = await call<{ user_id: number }>("POST", `${accountPath(account.phone)}/receive`, {
          from,
          text,
        });
        onOpen(user_id);
        await onChange();
      },
    ),
  );
}

/** Isolates the text's direction; otherwise a line of the opposite direction would cut off its start. */
function preview(message: Message): (Node | string)[] {
  const words = h("bdi", {}, message.text || mediaText(message));
  const [before = "", after = ""] = t("you").split("{text}");
  return message.out ? [before, words, after] : [words];
}

function mediaText({ media_type: media }: Message): string {
  const kind = KINDS.find((known) => known === media);
  return kind === undefined ? (media ?? "") : t(kind);
}

function conversation({ account, onOpen, onChange }: PhoneProps, chat: Chat): HTMLElement {
  return h(
    "div",
    { class: "screen" },
    h(
      "div",
      { class: "head" },
      h("button", { type: "button", onclick: () => onOpen(null) }, `${BACK} ${t("chats")}`),
      h("strong", { dir: "auto" }, chat.title),
      chat.type === "user" ? personMenu(account, chat, onChange) : null,
    ),
    h("ol", { class: "messages" }, ...chat.messages.map((message) => bubble(account, message, onChange))),
    chat.type === "user"
      ? form(
          t("writeAs", { name: chat.title }),
          t("send"),
          [
            field("text", t("writeAs", { name: chat.title }), { autocomplete: "off" }),
            choice("media", t("with"), [["", t("noFile")], ...KINDS.map((kind) => [kind, t(kind)] as const)]),
          ],
          async ({ text = "", media = "" }) => {
            await call("POST", `${accountPath(account.phone)}/receive`, {
              from: { user_id: chat.id, first_name: "" },
              text,
              ...(media === "" ? {} : { media }),
            });
            await onChange();
          },
        )
      : null,
    chat.type === "user"
      ? form(
          t("answerFrom", { name: chat.title }),
          t("answer"),
          [field("text", t("answerHere"), { required: true, autocomplete: "off" })],
          async ({ text = "" }) => {
            await call("POST", `${accountPath(account.phone)}/send`, { to_user_id: chat.id, text });
            await onChange();
          },
        )
      : null,
  );
}

/** Received messages can be edited and deleted here, as their author would. */
function bubble(account: Account, message: Message, onChange: () => Promise<void>): HTMLElement {
  const address = `${accountPath(account.phone)}/messages/${message.message_id}`;
  const remove = () => void attempt(async () => (await call("DELETE", address), onChange()));
  const edit = () => {
    const text = window.prompt(t("newText"), message.text);
    if (text !== null) void attempt(async () => (await call("PATCH", address, { text }), onChange()));
  };
  const buttons = message.out
    ? []
    : [
        h("button", { type: "button", onclick: edit }, t("edit")),
        h("button", { type: "button", onclick: remove }, t("delete")),
      ];
  const media = message.media_type === null ? null : h("em", {}, `[${mediaText(message)}] `);
  return h(
    "li",
    { class: message.out ? "mine" : "theirs" },
    h("p", { dir: "auto" }, media, message.text),
    h("small", {}, `${hourText(message.at)}${message.edited_at === null ? "" : ` · ${t("edited")}`}`),
    ...buttons,
  );
}

function personMenu(account: Account, chat: Chat, onChange: () => Promise<void>): HTMLElement {
  const change = (what: Record<string, unknown>) => () =>
    void attempt(async () => {
      await call("POST", `${accountPath(account.phone)}/people/${chat.id}`, what);
      await onChange();
    });
  return h(
    "div",
    { class: "menu" },
    h(
      "button",
      { type: "button", onclick: change({ blocked: !chat.has_blocked_account }) },
      chat.has_blocked_account ? t("unblock") : t("block"),
    ),
    chat.is_deleted
      ? h("span", {}, t("deleted"))
      : h("button", { type: "button", onclick: change({ deleted: true }) }, t("deleteAccount")),
  );
}
