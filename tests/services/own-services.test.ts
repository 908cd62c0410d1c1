import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createActor } from "xstate";
import { dryRunOf } from "../../src/app/dry-run.ts";
import { ownServices } from "../../src/app/own-services.ts";
import { selectionOf } from "../../src/app/selection.ts";
import { createServices } from "../../src/app/services.ts";
import { createStages, selectHasEdits } from "../../src/machines/stages/stages.machine.ts";
import { createTyped } from "../../src/services/drafts.ts";
import { createStorage } from "../../src/services/storage.ts";

const KEY = "sb-localhost-auth-token";
const FAR = 9_999_999_999;
const sessionOf = (id: string) =>
  JSON.stringify({ access_token: `token of ${id}`, refresh_token: "r", expires_at: FAR, user: { id, email: null } });

/** Simulates a sign-in or sign-out in another tab. */
function signIn(id: string | null) {
  if (id === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, sessionOf(id));
  window.dispatchEvent(new StorageEvent("storage", { key: KEY }));
}

const calls: string[] = [];
let answer: (call: string) => Promise<Response> = async () => new Response("{}");
const stored = ["one", "two"].map((id, index) => ({ id, name: id, order: index + 1, keywords: [id] }));

beforeEach(() => {
  calls.length = 0;
  vi.stubGlobal("scrollTo", () => {});
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    if (address.includes("/rest/") || address.includes("/auth/")) return new Response("[]");
    const call = `${init.method} ${address} ${new Headers(init.headers).get("Authorization")}`;
    calls.push(call);
    return answer(call);
  });
  localStorage.setItem(KEY, sessionOf("ada"));
});
const pages: ReturnType<typeof createServices>[] = [];
afterEach(() => {
  for (const { session } of pages.splice(0)) session.stop();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

/** Opens the page with Ada signed in and her stages loaded. */
async function openStages() {
  const services = createServices();
  pages.push(services);
  await vi.waitFor(() => expect(services.userId()).toEqual("ada"));
  const own = ownServices(services, "ada");
  answer = async (call) => new Response(call.startsWith("GET") ? JSON.stringify(stored) : "{}");
  const stages = createActor(createStages(own)).start();
  // A chart that a test leaves running would hear the events of the next test.
  onTestFinished(() => void stages.stop());
  await vi.waitFor(() => expect(stages.getSnapshot().matches("ready")).toEqual(true));
  calls.length = 0;
  return { services, own, stages };
}

describe("a write of several steps", () => {
  it("is neither continued as another user nor reported to them", async () => {
    const { services, stages } = await openStages();
    const gate = Promise.withResolvers<void>();
    answer = async () => {
      await gate.promise;
      return new Response("{}");
    };
    stages.send({ type: "row.move", key: "two", step: -1 });
    stages.send({ type: "stages.save" });
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    stages.stop();
    signIn("bob");
    gate.resolve();
    await vi.waitFor(() => expect(services.userId()).toEqual("bob"));
    await new Promise((resolve) => setTimeout(resolve));
    expect(calls).toEqual(["PATCH /api/stages/two Bearer token of ada"]);
    expect(services.notifications.getSnapshot().context).toMatchObject({ toast: null, warning: null });
  });

  it("continues with a renewed token", async () => {
    const { stages } = await openStages();
    answer = async () => {
      localStorage.setItem(KEY, sessionOf("ada").replace("token of ada", "new token of ada"));
      return new Response("{}");
    };
    stages.send({ type: "row.move", key: "two", step: -1 });
    stages.send({ type: "stages.save" });
    await vi.waitFor(() => expect(selectHasEdits(stages.getSnapshot())).toEqual(false));
    expect(calls.slice(0, 2)).toEqual([
      "PATCH /api/stages/two Bearer token of ada",
      "PATCH /api/stages/one Bearer new token of ada",
    ]);
  });
});

describe("another user's undo and messages", () => {
  it("are neither offered nor shown to the next user", async () => {
    const { services, own } = await openStages();
    own.drafts.of("reminder", { stage: v.string() }).write({ stage: "Secret" }, {});
    own.sessionStorage.set("leadloom.notes.lead-1", "Secret");
    own.sessionStorage.set("leadloom.bulk_draft.ada", "Secret");
    own.notifier.toast("Deleted.", { undo: { label: "Undo", onPress: () => {} } });
    own.notifier.warn("A note was not saved.");
    const notices = () => {
      const { offer, warning } = services.notifications.getSnapshot().context;
      return [offer?.message ?? null, warning];
    };
    expect(notices()).toEqual(["Deleted.", "A note was not saved."]);
    signIn(null);
    expect([notices(), Object.values(sessionStorage).join("")]).toEqual([[null, "A note was not saved."], ""]);
    own.notifier.toast("Deleted too.", { undo: { label: "Undo", onPress: () => {} } });
    expect([notices()[0], services.notifications.getSnapshot().context.toast]).toEqual([null, "Deleted too."]);
    signIn("bob");
    await vi.waitFor(() => expect(services.userId()).toEqual("bob"));
    own.notifier.warn("Too late.");
    expect([notices(), await own.notifier.confirm("Still there?")]).toEqual([[null, null], false]);
    services.drafts.of("reminder", { stage: v.string() }).write({ stage: "Bob's" }, {});
    own.drafts.of("reply.lead-1", { text: v.string() }).write({ text: "Secret" }, {});
    expect(sessionStorage.getItem("leadloom_drafts")).toEqual(
      JSON.stringify({ user: "bob", forms: { reminder: { stage: "Bob's" } } }),
    );
    own.sessionStorage.set("leadloom.notes.lead-2", "Bob's");
    signIn("ada");
    await vi.waitFor(() => expect(services.userId()).toEqual("ada"));
    expect(sessionStorage.getItem("leadloom.notes.lead-2")).toEqual(null);
  });
});

describe("a draft", () => {
  it("survives a failed session check, but not a sign-out", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", () => new Promise(() => {}));
    localStorage.setItem(KEY, sessionOf("ada").replace(String(FAR), "1"));
    const forms = JSON.stringify({ user: "ada", forms: { reminder: { stage: "Interested" } } });
    sessionStorage.setItem("leadloom_drafts", forms);
    const { session, drafts } = createServices();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(session.getSnapshot().matches("signedOut")).toEqual(true);
    expect(sessionStorage.getItem("leadloom_drafts")).toEqual(forms);
    signIn(null);
    expect(sessionStorage.getItem("leadloom_drafts")).toEqual(null);
    expect(drafts.of("reminder", { stage: v.string() }).read()).toEqual(null);
    session.stop();
    vi.useRealTimers();
  });

  it("from before the sign-in is removed by a sign-in in any tab", () => {
    sessionStorage.setItem("leadloom.visitor_drafts", "ada@example.com");
    const typed = createTyped(createStorage(() => sessionStorage));
    typed.clear();
    expect(sessionStorage.getItem("leadloom.visitor_drafts")).toEqual("ada@example.com");
    typed.belongTo("bea");
    expect(sessionStorage.getItem("leadloom.visitor_drafts")).toEqual(null);
  });
});

describe("the page's actors of a user", () => {
  it.each([
    ["signs out", null],
    ["makes way for another user", "bob"],
  ])("stop when the user %s, and restart at the next sign-in", async (_, next) => {
    const { services, own } = await openStages();
    const actorsOf = (of: typeof own) => [selectionOf(of).selection, dryRunOf(of)];
    const statuses = () => actors.map((actor) => actor.getSnapshot().status);
    const actors = actorsOf(own);
    expect(ownServices(services, "ada")).toBe(own);
    expect(statuses()).toEqual(["active", "active"]);
    signIn(next);
    await vi.waitFor(() => expect(statuses()).toEqual(["stopped", "stopped"]));
    signIn("ada");
    await vi.waitFor(() => expect(services.userId()).toEqual("ada"));
    const again = actorsOf(ownServices(services, "ada"));
    expect(again.map((actor) => actor.getSnapshot().status)).toEqual(["active", "active"]);
    for (const actor of again) actor.stop();
  });
});
