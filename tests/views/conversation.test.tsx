import { i18n } from "@lingui/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { LinkifyIt } from "linkify-it";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createActor } from "xstate";
import type { Message } from "../../domain/message.ts";
import { Composer, createComposer } from "../../src/machines/composer/composer.machine.ts";
import type { Outgoing } from "../../src/machines/composer/composer.outgoing.ts";
import { Conversation, createConversation } from "../../src/machines/conversation/conversation.machine.ts";
import { Bubble, OutgoingBubble } from "../../src/views/conversation/Bubble.tsx";
import { ConversationView } from "../../src/views/conversation/ConversationView.tsx";
import { piecesOf } from "../../src/views/conversation/pieces.ts";
import { reasonMessage } from "../../domain/ledger-messages.ts";
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

/** Renders the conversation with Ann, whose newest message is unread. */
function show({ isPanelOpen = false } = {}) {
  const calls: string[] = [];
  const conversation = {
    readLead: async () => leadDetail({ draft: "From before", unread: 1, waiting_since: "2026-03-01T10:00:00Z" }),
    listMessages: async () => ({ messages: messagesFrom(1, 3).toReversed(), next: null }),
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
  const page = (isCovered: boolean) => (
    <div style={{ visibility: isCovered ? "hidden" : "visible" }}>
      <Composer.ActorProvider value={box}>
        <Conversation.Provider logic={logic} options={{ input: { leadId: "lead-1" } }}>
          <ConversationView
            onBack={() => calls.push("back")}
            onPanel={() => calls.push("panel")}
            onDone={(upTo) => calls.push(`done ${upTo}`)}
            isPanelOpen={isCovered}
          />
        </Conversation.Provider>
      </Composer.ActorProvider>
    </div>
  );
  const { rerender } = render(page(isPanelOpen));
  return { calls, closePanel: () => rerender(page(false)) };
}

describe("a conversation on the screen", () => {
  it("is not marked as read while the panel covers it", async () => {
    const { calls, closePanel } = show({ isPanelOpen: true });
    await vi.waitFor(() => expect(document.querySelector('[aria-label="Messages"]')).not.toEqual(null));
    await new Promise((resolve) => setTimeout(resolve));
    expect(calls).toEqual([]);
    closePanel();
    await vi.waitFor(() => expect(calls).toEqual(["read 3"]));
  });

  it("shows the lead and the draft, and announces no old messages", async () => {
    const { calls } = show();
    expect(await screen.findByRole("heading", { name: "Ann Lee" })).not.toEqual(null);
    expect(screen.getByRole("link", { name: "Open in Telegram" }).getAttribute("href")).toEqual("https://t.me/ann_l");
    expect((await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Reply" })).value).toEqual("From before");
    expect(screen.getByRole("log").textContent).toEqual("");
    await vi.waitFor(() => expect(calls).toEqual(["read 3"]));
    for (const name of ["Back", "About this lead", "Done"]) fireEvent.click(screen.getByRole("button", { name }));
    // "Done" covers all messages up to the newest one shown.
    expect(calls.slice(1)).toEqual(["back", "panel", "done 3"]);
  });

  it("names the days in the language that the page switches to", async () => {
    const size = vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(500);
    onTestFinished(() => {
      size.mockRestore();
      act(() => i18n.activate("en"));
    });
    const { closePanel } = show({ isPanelOpen: true });
    expect(await screen.findByText("5 March 2026")).not.toEqual(null);
    i18n.load("es", {});
    act(() => i18n.activate("es"));
    closePanel();
    expect(screen.queryByText("5 March 2026")).toEqual(null);
    expect(screen.getByText("5 de marzo de 2026")).not.toEqual(null);
  });

  it("says by how much a text is too long, and which file cannot be sent", async () => {
    show();
    const field = await screen.findByRole("textbox", { name: "Reply" });
    fireEvent.change(field, { target: { value: "x".repeat(4_100) } });
    expect(screen.getByText("4 characters too many.")).not.toEqual(null);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Send" }).disabled).toEqual(true);
    fireEvent.change(field, { target: { value: "x" } });
    const file = new File(["x"], "a.exe", { type: "application/x-msdownload" });
    fireEvent.paste(field, { clipboardData: { files: [file] } });
    expect(screen.getByText(/cannot be attached/)).not.toEqual(null);
  });
});

it("retries, edits or removes a failed reply unless that could send it twice", () => {
  const actionsOf = (known: Partial<Outgoing>, canEdit = true) => {
    const pressed: string[] = [];
    const reply: Outgoing = {
      key: "one",
      text: "Hello",
      file: null,
      at: "2026-03-05T11:00:00.000Z",
      status: "refused",
      reason: "Telegram asks to wait.",
      hasLostFile: false,
      ...known,
    };
    const { unmount } = render(
      <OutgoingBubble
        reply={reply}
        canEdit={canEdit}
        onRetry={(key) => pressed.push(`retry ${key}`)}
        onEdit={(key) => pressed.push(`edit ${key}`)}
        onDiscard={(key) => pressed.push(`discard ${key}`)}
      />,
    );
    expect(seen("Telegram asks to wait.")).toEqual(reply.status !== "posting");
    for (const way of screen.queryAllByRole("button")) fireEvent.click(way);
    unmount();
    return pressed;
  };
  expect(actionsOf({})).toEqual(["retry one", "edit one", "discard one"]);
  expect(actionsOf({}, false)).toEqual(["retry one", "discard one"]);
  expect(actionsOf({ status: "unanswered" })).toEqual(["retry one", "discard one"]);
  expect(actionsOf({ status: "unanswered", hasLostFile: true })).toEqual(["discard one"]);
  expect(actionsOf({ status: "posting" })).toEqual([]);
});

describe("a message", () => {
  const links = new LinkifyIt({ fuzzyLink: true });
  const finder = (text: string) => links.match(text) ?? [];
  const hrefs = (text: string) => piecesOf(text, null, finder).flatMap(({ href }) => href ?? []);
  const ours = (known: Partial<Message>) => messageNumber(1, { direction: "out", ...known });

  it.each([
    ["see https://example.com.", ["https://example.com"]],
    ["https://example.com/a?b=c", ["https://example.com/a?b=c"]],
    ["see t.me/ann", ["http://t.me/ann"]],
    ["write to ann@example.com", ["mailto:ann@example.com"]],
    ["javascript:alert(1)", []],
    ["data:text/html,<b>x</b>", []],
    ["ftp://example.com/x", []],
  ])("links only safe addresses in '%s'", (text, safe) => expect(hrefs(text)).toEqual(safe));

  it("marks its keyword, also within a link, and loses no letter", () => {
    const text = "Tell me the price: https://example.com/price 🎉";
    const textsOf = (pieces: { text: string }[]) => pieces.map((piece) => piece.text);
    const pieces = piecesOf(text, { start: 12, length: 5 }, finder);
    expect(textsOf(pieces).join("")).toEqual(text);
    expect(textsOf(pieces.filter(({ isMatched }) => isMatched))).toEqual(["price"]);
    expect(textsOf(piecesOf(text, { start: 40, length: 900 }, null)).join("")).toEqual(text);
  });

  it("is never parsed as HTML", () => {
    const text = "<img src=x onerror=alert(1)>";
    render(<Bubble message={messageNumber(1, { text })} author="Ann" onAgain={null} />);
    expect([screen.queryByRole("img"), screen.getByText(text).tagName]).toEqual([null, "SPAN"]);
  });

  it("is reloaded for a new address when its picture fails", async () => {
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

  it("from the user shows its status, and why it failed, with a retry", () => {
    const again = vi.fn<(message: Message) => void>();
    const failed = ours({ state: "failed", reason: "USER_IS_BLOCKED" });
    const { rerender } = render(<Bubble message={failed} author="You" onAgain={again} />);
    expect(screen.getByText("Not sent: this person blocked you.")).not.toEqual(null);
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(again).toHaveBeenCalledWith(failed);
    for (const [known, sign] of [
      [{ state: "pending" }, "Waits to be sent"],
      [{ state: "sent" }, "Sent"],
      [{ deleted_at: "2026-03-06T00:00:00Z", text: "" }, "This message was deleted."],
    ] as const) {
      rerender(<Bubble message={ours(known)} author="You" onAgain={null} />);
      expect(screen.getByText(sign)).not.toEqual(null);
    }
  });

  it.each([
    ["pending", null, null],
    ["pending", "FLOOD_WAIT_60", "Telegram makes this account wait. It is sent by itself afterwards."],
    ["sending", "TIMEOUT", "It could not be sent yet. It is tried again by itself."],
    ["failed", "MESSAGE_TOO_LONG", "Not sent. The message is too long for Telegram. Shorten it to 4,096 characters."],
    ["failed", "MESSAGE_EMPTY", "Not sent. The message is empty."],
    [
      "failed",
      "UPLOAD_FAILED",
      "Not sent. The picture or video could not be uploaded to Telegram. Attach it once more, or another one, and try again.",
    ],
    ["failed", "PEER_FLOOD", "Not sent: Telegram limits how many people this account may write to."],
    ["failed", "EXPIRED", "Not sent: it could not be sent in time."],
    ["failed", "CANCELLED", "Not sent: it was still waiting when the data was exported."],
    ["failed", null, "Not sent."],
    ["unknown", null, "It is not known whether this was sent. It may have arrived."],
    ["sent", null, null],
  ] as const)("says that it is %s for the reason %s", (state, reason, text) =>
    expect(english(reasonMessage({ state, reason }) ?? "")).toEqual(text ?? ""),
  );
});

it("shows times in the user's time zone", () => {
  const now = new Date(2026, 2, 5, 12, 0).getTime();
  const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
  expect([1, 20, 48].map((hours) => dayLine(ago(hours), now))).toEqual(["Today", "Yesterday", "3 March 2026"]);
  expect([0, 0.5, 5, 90].map((hours) => waitedText(ago(hours), now))).toEqual([
    "waiting",
    "waiting 30 min",
    "waiting 5 h",
    "waiting 3 days",
  ]);
  expect([7, 750].map(lengthText)).toEqual(["0:07", "12:30"]);
});
