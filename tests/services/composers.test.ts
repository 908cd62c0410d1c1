import { describe, expect, it, vi } from "vitest";
import type { Message } from "../../domain/message.ts";
import { createComposers } from "../../src/app/composers.ts";
import type { Services } from "../../src/app/services.ts";
import type { ConversationGateway } from "../../src/services/conversation.ts";
import { messageNumber } from "../support/messages.ts";

type Listener = (snapshot: unknown) => void;

/** Opens a page of Ada with its reply boxes. */
function openPage() {
  let notify: Listener = () => {};
  let token: string | null = "token";
  const events: string[] = [];
  const posts: ((message: Message) => void)[] = [];
  const gateway = {
    reply: () => new Promise<Message>((resolve) => posts.push(resolve)),
    saveDraft: async () => null,
  };
  const services = {
    drafts: { of: () => ({ read: () => null, write: () => {} }) },
    logger: { warn: () => {} },
    notifier: { warn: () => {} },
    leaving: { send: ({ type }: { type: string }) => events.push(type) },
    auth: { accessToken: () => token },
    session: { subscribe: (listener: Listener) => (notify = listener) },
    userId: () => "ada",
  } as unknown as Services;
  const composers = createComposers(services, gateway as unknown as ConversationGateway);
  const becomes = (state: string, id?: string) =>
    notify({ matches: (wanted: string) => wanted === state, context: { user: id === undefined ? null : { id } } });
  return {
    composers,
    events,
    posts,
    signOut: () => {
      token = null;
      becomes("signedOut");
    },
    signIn: (id: string) => becomes("signedIn", id),
  };
}

describe("the reply boxes of a page", () => {
  it("work again after a sign-out during a conversation", () => {
    const { composers, signOut, signIn } = openPage();
    const before = composers.of("lead-1");
    const release = composers.hold("lead-1");
    signOut();
    expect(before.getSnapshot().status).toEqual("stopped");
    release();
    signIn("ada");
    const after = composers.of("lead-1");
    composers.hold("lead-1");
    after.send({ type: "text.change", text: "Hello" });
    expect(after.getSnapshot().context.text).toEqual("Hello");
    expect(composers.of("lead-1")).toBe(after);
  });

  it("report replies that wait behind one being sent, until none does", async () => {
    const { composers, events, posts, signOut } = openPage();
    const box = composers.of("lead-1");
    const sendReply = (text: string, key: string) => {
      box.send({ type: "text.change", text });
      box.send({ type: "reply.send", key, at: "2026-03-05T10:00:00.000Z" });
    };
    sendReply("One", "1");
    expect(events).toEqual([]);
    sendReply("Two", "2");
    sendReply("Three", "3");
    expect(events).toEqual(["replies.queued"]);
    posts[0]?.(messageNumber(1));
    await vi.waitFor(() => expect(posts).toHaveLength(2));
    posts[1]?.(messageNumber(2));
    await vi.waitFor(() => expect(events).toEqual(["replies.queued", "replies.handedOver"]));
    sendReply("Four", "4");
    signOut();
    expect(events).toEqual(["replies.queued", "replies.handedOver", "replies.queued", "replies.handedOver"]);
  });

  it("end when another user signs in", () => {
    const { composers, signIn } = openPage();
    const box = composers.of("lead-1");
    signIn("ada");
    expect(box.getSnapshot().status).toEqual("active");
    signIn("bob");
    expect(box.getSnapshot().status).toEqual("stopped");
  });
});
