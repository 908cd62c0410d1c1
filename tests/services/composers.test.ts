import { describe, expect, it } from "vitest";
import { createComposers } from "../../src/app/composers.ts";
import type { Services } from "../../src/app/services.ts";
import type { ConversationGateway } from "../../src/services/conversation.ts";

type Listener = (snapshot: unknown) => void;

/** The reply boxes of Ada's page. */
function openPage() {
  let tell: Listener = () => {};
  let token: string | null = "token";
  const services = {
    drafts: { read: () => null, write: () => {} },
    logger: { warn: () => {} },
    notifier: { warn: () => {} },
    auth: { accessToken: () => token },
    session: { subscribe: (listener: Listener) => (tell = listener) },
    userId: () => "ada",
  } as unknown as Services;
  const composers = createComposers(services, {} as ConversationGateway);
  const becomes = (state: string, id?: string) =>
    tell({ matches: (wanted: string) => wanted === state, context: { user: id === undefined ? null : { id } } });
  return {
    composers,
    signOut: () => {
      token = null;
      becomes("signedOut");
    },
    signIn: (id: string) => becomes("signedIn", id),
  };
}

describe("the reply boxes of a page", () => {
  it("live again after a sign-out in the middle of a conversation", () => {
    const { composers, signOut, signIn } = openPage();
    const before = composers.of("lead-1");
    const letGo = composers.hold("lead-1");
    signOut();
    expect(before.getSnapshot().status).toEqual("stopped");
    letGo();
    signIn("ada");
    const after = composers.of("lead-1");
    composers.hold("lead-1");
    after.send({ type: "text.change", text: "Hello" });
    expect(after.getSnapshot().context.text).toEqual("Hello");
    expect(composers.of("lead-1")).toBe(after);
  });

  it("end when somebody else is here", () => {
    const { composers, signIn } = openPage();
    const box = composers.of("lead-1");
    signIn("ada");
    expect(box.getSnapshot().status).toEqual("active");
    signIn("bob");
    expect(box.getSnapshot().status).toEqual("stopped");
  });
});
