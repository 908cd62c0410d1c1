import { accountPath, call, type Account, type Chat, type Message } from "./api.ts";
import { attempt, choice, field, form, h, tell } from "./dom.ts";

const KINDS = ["photo", "video", "voice", "audio", "document", "sticker"] as const;

const time = (at: string): string =>
  new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

type PhoneProps = {
  account: Account;
  chats: Chat[];
  openChat: number | null;
  now: string;
  onOpen: (id: number | null) => void;
  onChange: () => Promise<void>;
};

/** The phone of one account: its login code, its chats, one of them open, and a way to write as someone. */
export function phone(props: PhoneProps): HTMLElement {
  const { account, chats, openChat, now } = props;
  const chat = chats.find(({ id }) => id === openChat) ?? null;
  return h(
    "section",
    { class: "phone", "aria-label": `Phone ${account.phone}` },
    h("div", { class: "bar" }, h("strong", {}, account.phone), h("span", {}, time(now))),
    account.login_code === null ? null : code(account.login_code),
    chat === null ? chatList(props) : conversation(props, chat),
  );
}

function code(loginCode: string): HTMLElement {
  const copy = () =>
    attempt(async () => {
      await navigator.clipboard.writeText(loginCode);
      tell("Login code copied.");
    });
  return h(
    "div",
    { class: "code" },
    h("span", {}, "Login code"),
    h("strong", { "data-testid": "login-code" }, loginCode),
    h("button", { type: "button", onclick: () => void copy() }, "Copy"),
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
        h("strong", {}, chat.title),
        h("span", {}, last === undefined ? "" : preview(last)),
      ),
    );
  });
  return h(
    "div",
    { class: "screen" },
    rows.length === 0
      ? h("p", { class: "empty" }, "No conversations yet. Write as someone new below.")
      : h("ul", {}, ...rows),
    form(
      "Write as someone new",
      "Send",
      [
        field("first_name", "First name", { required: true, placeholder: "Grace" }),
        field("username", "Username", { placeholder: "grace" }),
        field("text", "Message", { required: true, placeholder: "Hi, what is the price?" }),
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

const preview = (message: Message): string =>
  `${message.out ? "You: " : ""}${message.text || (message.media_type ?? "")}`;

function conversation({ account, onOpen, onChange }: PhoneProps, chat: Chat): HTMLElement {
  return h(
    "div",
    { class: "screen" },
    h(
      "div",
      { class: "head" },
      h("button", { type: "button", onclick: () => onOpen(null) }, "← Chats"),
      h("strong", {}, chat.title),
      chat.type === "user" ? personMenu(account, chat, onChange) : null,
    ),
    h("ol", { class: "messages" }, ...chat.messages.map((message) => bubble(account, message, onChange))),
    chat.type === "user"
      ? form(
          `Write as ${chat.title}`,
          "Send",
          [
            field("text", `Write as ${chat.title}`, { autocomplete: "off" }),
            choice("media", "With", [["", "no file"], ...KINDS.map((kind) => [kind, `a ${kind}`] as const)]),
          ],
          async ({ text = "", media = "" }) => {
            await call("POST", `${accountPath(account.phone)}/receive`, {
              from: { user_id: chat.id, first_name: chat.title },
              text,
              ...(media === "" ? {} : { media }),
            });
            await onChange();
          },
        )
      : null,
    chat.type === "user"
      ? form(
          `Answer ${chat.title} from this phone`,
          "Answer",
          [field("text", "Answer from this phone", { required: true, autocomplete: "off" })],
          async ({ text = "" }) => {
            await call("POST", `${accountPath(account.phone)}/send`, { to_user_id: chat.id, text });
            await onChange();
          },
        )
      : null,
  );
}

/** What a person wrote can be edited and deleted here, as that person would. */
function bubble(account: Account, message: Message, onChange: () => Promise<void>): HTMLElement {
  const address = `${accountPath(account.phone)}/messages/${message.message_id}`;
  const remove = () => void attempt(async () => (await call("DELETE", address), onChange()));
  const edit = () => {
    const text = window.prompt("The new text", message.text);
    if (text !== null) void attempt(async () => (await call("PATCH", address, { text }), onChange()));
  };
  const levers = message.out
    ? []
    : [
        h("button", { type: "button", onclick: edit }, "Edit"),
        h("button", { type: "button", onclick: remove }, "Delete"),
      ];
  const media = message.media_type === null ? null : h("em", {}, `[${message.media_type}] `);
  return h(
    "li",
    { class: message.out ? "mine" : "theirs" },
    h("p", {}, media, message.text),
    h("small", {}, `${time(message.at)}${message.edited_at === null ? "" : " · edited"}`),
    ...levers,
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
      chat.has_blocked_account ? "Unblock" : "Block",
    ),
    chat.is_deleted
      ? h("span", {}, "deleted")
      : h("button", { type: "button", onclick: change({ deleted: true }) }, "Delete account"),
  );
}
