import { fireEvent, render, screen } from "@testing-library/react";
import { LinkifyIt } from "linkify-it";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createActor } from "xstate";
import type { Message } from "../../domain/message.ts";
import { Composer, createComposer } from "../../src/machines/composer/composer.machine.ts";
import type { Outgoing } from "../../src/machines/composer/composer.outgoing.ts";
import { Conversation, createConversation } from "../../src/machines/conversation/conversation.machine.ts";
import { Bubble, OutgoingBubble } from "../../src/views/conversation/Bubble.tsx";
import { ConversationView } from "../../src/views/conversation/ConversationView.tsx";
import { piecesOf } from "../../src/views/conversation/pieces.ts";
import { reasonMessage } from "../../domain/refusal-messages.ts";
import { sizeText } from "../../src/language/format.ts";
import { dayLine, lengthText, waitedText } from "../../src/views/conversation/times.ts";
import { idleComposer } from "../machines/composer.model.ts";
import { leadDetail, messageNumber, messagesFrom } from "../support/messages.ts";
import { english } from "../support/english.ts";
import { fakePage } from "../support/page.ts";
import { seen } from "../support/screen.ts";

// jsdom has no layout to scroll.
const scrollTo = Object.getOwnPropertyDescriptor(Element.prototype, "scrollTo");
beforeAll(() => {
  Element.prototype.scrollTo = () => {};
});
afterAll(() => {
  if (scrollTo) Object.defineProperty(Element.prototype, "scrollTo", scrollTo);
  else Reflect.deleteProperty(Element.prototype, "scrollTo");
});

function show(answers: { lead?: unknown; messages?: Message[]; unread?: number }) {
  const calls: string[] = [];
  const read = { fails: false };
  const conversation = {
    readLead: async () =>
      answers.lead === undefined
        ? leadDetail({ draft: "From before", unread: answers.unread ?? 0, waiting_since: "2026-03-01T10:00:00Z" })
        : null,
    listMessages: async () => {
      if (read.fails) throw new Error("offline");
      return { messages: (answers.messages ?? messagesFrom(1, 3)).toReversed(), next: null };
    },
    markRead: async ({ upTo }: { upTo: string }) => calls.push(`read ${upTo}`),
  };
  const box = createActor(
    createComposer(fakePage(), {
      ...idleComposer,
      composer: { ...idleComposer.composer, saveDraft: async () => null },
    }),
    { input: { leadId: "lead-1", text: "", outgoing: "[]" } },
  ).start();
  const logic = createConversation(fakePage(), { conversation, onAccepted: () => () => {} });
  const page = (isPanelOpen: boolean) => (
    <div style={{ visibility: isPanelOpen ? "hidden" : "visible" }}>
      <Composer.ActorProvider value={box}>
        <Conversation.Provider logic={logic} options={{ input: { leadId: "lead-1" } }}>
          <ConversationView
            onBack={() => calls.push("back")}
            onPanel={() => calls.push("panel")}
            onDone={(upTo) => calls.push(`done ${upTo}`)}
            isPanelOpen={isPanelOpen}
          />
        </Conversation.Provider>
      </Composer.ActorProvider>
    </div>
  );
  const start = ({ isPanelOpen = false } = {}) => {
    const { rerender } = render(page(isPanelOpen));
    return { closePanel: () => rerender(page(false)) };
  };
  return { calls, read, start };
}
const box = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Reply" });

describe("a conversation on the screen", () => {
  it("that the panel covers is not marked as read before the panel is closed", async () => {
    const page = show({ unread: 1 });
    const { closePanel } = page.start({ isPanelOpen: true });
    await vi.waitFor(() => expect(document.querySelector('[aria-label="Messages"]')).not.toEqual(null));
    await new Promise((resolve) => setTimeout(resolve));
    expect(page.calls).toEqual([]);
    closePanel();
    await vi.waitFor(() => expect(page.calls).toHaveLength(1));
  });

  it("shows who it is and the draft that was kept, and announces nothing that was there before", async () => {
    const page = show({});
    page.start();
    expect(await screen.findByRole("heading", { name: "Ann Lee" })).not.toEqual(null);
    expect(screen.getByRole("link", { name: "Open in Telegram" }).getAttribute("href")).toEqual("https://t.me/ann_l");
    expect((await box()).value).toEqual("From before");
    expect(screen.getByRole("log").textContent).toEqual("");
    fireEvent.click(screen.getByRole("button", { name: "Back" }));
    fireEvent.click(screen.getByRole("button", { name: "About this lead" }));
    expect(page.calls.filter((call) => !call.startsWith("read"))).toEqual(["back", "panel"]);
  });

  it("marks it done up to the newest message shown", async () => {
    const page = show({ unread: 1 });
    page.start();
    await vi.waitFor(() => expect(page.calls).toContain("read 3"));
    fireEvent.click(screen.getByRole("button", { name: "Done" }));
    expect(page.calls.at(-1)).toEqual("done 3");
  });

  it("says how much of a text is too much, and which file cannot be sent", async () => {
    show({}).start();
    const field = await box();
    await screen.findByRole("log");
    fireEvent.change(field, { target: { value: "x".repeat(4_100) } });
    expect(screen.getByText("4 characters too many.")).not.toEqual(null);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Send" }).disabled).toEqual(true);
    fireEvent.change(field, { target: { value: "x" } });
    const file = new File(["x"], "a.exe", { type: "application/x-msdownload" });
    fireEvent.paste(field, { clipboardData: { files: [file] } });
    expect(screen.getByText(/cannot be attached/)).not.toEqual(null);
  });
});

describe("a reply that was not taken", () => {
  const reply: Outgoing = {
    key: "one",
    text: "Hello",
    file: null,
    at: "2026-03-05T11:00:00.000Z",
    status: "refused",
    reason: "Telegram asks to wait.",
    hasLostFile: false,
  };
  const waysOf = (known: Partial<Outgoing>, canEdit = true) => {
    const pressed: string[] = [];
    const { unmount } = render(
      <OutgoingBubble
        reply={{ ...reply, ...known }}
        canEdit={canEdit}
        onRetry={(key) => pressed.push(`retry ${key}`)}
        onEdit={(key) => pressed.push(`edit ${key}`)}
        onDiscard={(key) => pressed.push(`discard ${key}`)}
      />,
    );
    expect(seen("Telegram asks to wait.")).toEqual(known.status !== "posting");
    for (const way of screen.queryAllByRole("button")) fireEvent.click(way);
    unmount();
    return pressed;
  };

  it("is tried again, changed or removed, as far as that cannot send it twice", () => {
    expect(waysOf({})).toEqual(["retry one", "edit one", "discard one"]);
    expect(waysOf({}, false)).toEqual(["retry one", "discard one"]);
    expect(waysOf({ status: "unanswered" })).toEqual(["retry one", "discard one"]);
    expect(waysOf({ status: "unanswered", hasLostFile: true })).toEqual(["discard one"]);
    expect(waysOf({ status: "posting" })).toEqual([]);
  });
});

describe("a message", () => {
  const find = new LinkifyIt({ fuzzyLink: true });
  const finder = (text: string) => find.match(text) ?? [];
  const hrefs = (text: string) => piecesOf(text, null, finder).flatMap(({ href }) => href ?? []);

  it.each([
    ["see https://example.com.", ["https://example.com"]],
    ["https://example.com/a?b=c", ["https://example.com/a?b=c"]],
    ["see t.me/ann", ["http://t.me/ann"]],
    ["write to ann@example.com", ["mailto:ann@example.com"]],
    ["javascript:alert(1)", []],
    ["data:text/html,<b>x</b>", []],
    ["ftp://example.com/x", []],
  ])("'%s' links to what is safe and nothing else", (text, links) => expect(hrefs(text)).toEqual(links));

  it("has its keyword marked, within a link too, and loses no letter", () => {
    const text = "Tell me the price: https://example.com/price 🎉";
    const pieces = piecesOf(text, { start: 12, length: 5 }, finder);
    expect(pieces.map((piece) => piece.text).join("")).toEqual(text);
    expect(pieces.filter(({ isMatched }) => isMatched).map((piece) => piece.text)).toEqual(["price"]);
    expect(
      piecesOf(text, { start: 40, length: 900 }, null)
        .map((piece) => piece.text)
        .join(""),
    ).toEqual(text);
  });

  it("is never read as HTML", () => {
    render(<Bubble message={messageNumber(1, { text: "<img src=x onerror=alert(1)>" })} author="Ann" onAgain={null} />);
    expect([screen.queryByRole("img"), screen.getByText("<img src=x onerror=alert(1)>").tagName]).toEqual([
      null,
      "SPAN",
    ]);
  });

  it("whose picture did not come is read again for an address that holds", async () => {
    const lost: string[] = [];
    const media = { url: "/old", preview: null, width: 1, height: 1, seconds: null, size: 1, name: null };
    const bubble = (url: string) => (
      <Bubble
        message={messageNumber(7, { kind: "photo", media: { ...media, url } })}
        author="Ann"
        onAgain={null}
        onLost={(id) => lost.push(id)}
      />
    );
    const { rerender } = render(bubble("/old"));
    const picture = () => screen.getByRole("img", { name: "Picture from them" });
    fireEvent.error(picture());
    fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
    fireEvent.error(picture());
    rerender(bubble("/new"));
    expect([lost, picture().getAttribute("src")]).toEqual([["7"], "/new"]);
  });

  it("of ours says by a sign what became of it, and that failed why, with the way to try again", () => {
    const ours = (known: Partial<Message>) => messageNumber(1, { direction: "out", ...known });
    const again = vi.fn<(message: Message) => void>();
    const { rerender } = render(<Bubble message={ours({ state: "pending" })} author="You" onAgain={null} />);
    expect(screen.getByText("Waits to be sent")).not.toEqual(null);
    rerender(<Bubble message={ours({ state: "sent" })} author="You" onAgain={null} />);
    expect(screen.getByText("Sent")).not.toEqual(null);
    const failed = ours({ state: "failed", reason: "USER_IS_BLOCKED" });
    rerender(<Bubble message={failed} author="You" onAgain={again} />);
    expect(screen.getByText("Not sent: this person blocked you.")).not.toEqual(null);
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(again).toHaveBeenCalledWith(failed);
    rerender(<Bubble message={ours({ deleted_at: "2026-03-06T00:00:00Z", text: "" })} author="You" onAgain={null} />);
    expect(screen.getByText("This message was deleted.")).not.toEqual(null);
  });

  it.each([
    ["pending", null, null],
    ["pending", "FLOOD_WAIT_60", "Telegram makes this account wait. It is sent by itself afterwards."],
    ["sending", "TIMEOUT", "It could not be sent yet. It is tried again by itself."],
    ["failed", "MESSAGE_TOO_LONG", "Not sent. The message is too long for Telegram. Shorten it to 4,096 characters."],
    ["failed", null, "Not sent."],
    ["unknown", null, "It is not known whether this was sent. It may have arrived."],
    ["sent", null, null],
  ] as const)("that is %s for the reason %s says so", (state, reason, text) =>
    expect(english(reasonMessage({ state, reason }) ?? "")).toEqual(text ?? ""),
  );
});

describe("times", () => {
  const now = new Date(2026, 2, 5, 12, 0).getTime();
  const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
  it("are named from where the person is", () => {
    expect([dayLine(ago(1), now), dayLine(ago(20), now), dayLine(ago(48), now)]).toEqual([
      "Today",
      "Yesterday",
      "3 March 2026",
    ]);
    expect([ago(0), ago(0.5), ago(5), ago(90)].map((since) => waitedText(since, now))).toEqual([
      "waiting",
      "waiting 30 min",
      "waiting 5 h",
      "waiting 3 days",
    ]);
    expect([lengthText(7), lengthText(750), sizeText(200), sizeText(2_400_000)]).toEqual([
      "0:07",
      "12:30",
      "1 KB",
      "2.3 MB",
    ]);
  });
});
