import { describe, expect, it } from "vitest";
import type { InboxCounts } from "../../../domain/inbox.ts";
import type { MessagesPage } from "../../../domain/message.ts";
import type { StoryPage } from "../../../domain/story.ts";
import { newSeller, type ConnectedSeller } from "./support.ts";
import { RESET } from "../../support/leads.ts";
import { messageNumber } from "../../support/messages.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();

/** Adds a stage after 'Initial Contact'. */
async function addStage({ get, call }: ConnectedSeller, name: string, keywords: string[]): Promise<string> {
  await get("/api/stages");
  return (await call<{ id: string }>("POST", "/stages", { name, keywords })).body.id;
}
const names = async (user: ConnectedSeller, query: string) =>
  (await user.inbox(query)).items.map(({ lead }) => lead.name);

describe("the inbox", () => {
  it("lists waiting leads longest first, without those answered on the phone", async () => {
    const user = await newSeller(server);
    const { user_id: ann } = await user.receive({ first_name: "Ann" }, "Hello");
    await server.advance(60);
    await user.receive({ first_name: "Ben" }, "Hi");
    await server.advance(60);
    await user.receive({ first_name: "Ann", user_id: ann }, "Are you there?");
    const page = await user.inbox("?view=waiting");
    expect(page).toMatchObject({ items: [{}, { lead: { name: "Ben" }, last: { text: "Hi" }, unread: 1 }], next: null });
    expect(page.items[0]).toEqual({
      lead: { id: expect.any(String), name: "Ann", username: null, stage_id: expect.any(String) },
      last: { id: expect.any(String), text: "Are you there?", direction: "in", kind: "text", at: expect.any(String) },
      waiting_since: expect.any(String),
      unread: 2,
    });
    expect(Date.parse(page.items[0]?.waiting_since ?? "")).toBeLessThan(Date.parse(page.items[1]?.waiting_since ?? ""));
    expect(await names(user, "?view=all")).toEqual(["Ann", "Ben"]);
    expect(await user.get<InboxCounts>("/api/inbox/counts")).toEqual({ waiting: 2, unread: 2 });
    await user.callSandbox("/send", { to_user_id: ann, text: "Yes!" });
    await server.idle();
    expect(await user.get<InboxCounts>("/api/inbox/counts")).toEqual({ waiting: 1, unread: 1 });
    const last = { text: "Yes!", direction: "out" };
    const answered = { lead: { name: "Ann" }, last, waiting_since: null, unread: 0 };
    expect((await user.inbox("?view=all")).items[0]).toMatchObject(answered);
  });

  it("refuses an invalid view, limit and cursor", async () => {
    const { token } = await server.subscriber();
    for (const query of ["view=mine", "limit=0", "limit=201", "before=x", "nonsense=1"])
      expect([query, (await server.call("GET", `/api/inbox?${query}`, { token })).status]).toEqual([query, 422]);
  });
});

describe("a conversation", () => {
  it("lists newest first, and marks the keyword that moved the lead", async () => {
    const user = await newSeller(server);
    const stage = await addStage(user, "Interested", ['"price list"', "quote"]);
    const { user_id: ann, lead } = await user.receive({ first_name: "Ann" }, "A quote, please");
    await server.advance(2);
    const { message_id } = await user.receive({ first_name: "Ann", user_id: ann }, "😀 Your PRICE  List?");
    const [last, first] = await user.messages(lead);
    const numbers = { id: expect.any(String), message_id: expect.any(Number), at: expect.any(String) };
    expect(first).toEqual(messageNumber(1, { ...numbers, text: "A quote, please" }));
    const matched = { keyword: "price list", start: 8, length: 11, stage_id: stage };
    expect(last).toMatchObject({ message_id, matched });
    expect(last?.text.slice(8, 19)).toEqual("PRICE  List");
    expect(await user.lead(lead)).toMatchObject({
      stage_id: stage,
      unread: 2,
      telegram_user_id: ann,
      draft: null,
      tags: [],
      fields: {},
      opted_out_at: null,
      automation: { state: "no_steps", due_at: null, step: null, words: expect.any(String) },
      waiting_since: expect.any(String),
    });
  });

  it("pages by message id, despite new messages", async () => {
    const user = await newSeller(server);
    const { user_id: ann, lead } = await user.receive({ first_name: "Ann" }, "1");
    for (const text of ["2", "3", "4", "5"]) await user.receive({ first_name: "Ann", user_id: ann }, text);
    const page = async (before = "") => {
      const { messages, next } = await user.get<MessagesPage>(`/api/leads/${lead}/messages?limit=2${before}`);
      return { texts: messages.map(({ text }) => text), next };
    };
    const first = await page();
    await user.receive({ first_name: "Ann", user_id: ann }, "6");
    const second = await page(`&before=${first.next}`);
    const third = await page(`&before=${second.next}`);
    expect([first.texts, second.texts, third]).toEqual([["5", "4"], ["3", "2"], { texts: ["1"], next: null }]);
  });

  it("shows edits and deletions, without matching or moving again", async () => {
    const user = await newSeller(server);
    const stage = await addStage(user, "Paying", ["deposit"]);
    const { user_id: ann, lead } = await user.receive({ first_name: "Ann" }, "Hello");
    const paid = await user.receive({ first_name: "Ann", user_id: ann }, "The deposit is paid");
    const mistake = await user.receive({ first_name: "Ann", user_id: ann }, "Oops");
    await user.callSandbox(`/messages/${paid.message_id}`, { text: "So: the deposit" }, "PATCH");
    await user.callSandbox(`/messages/${mistake.message_id}`, undefined, "DELETE");
    const [deleted, edited] = await user.until(lead, ([last, before]) => !!last?.deleted_at && !!before?.edited_at);
    expect(deleted).toMatchObject({ text: "", deleted_at: expect.any(String) });
    const matched = { keyword: "deposit", start: 8, length: 7, stage_id: stage };
    expect(edited).toMatchObject({ text: "So: the deposit", matched });
    expect((await user.inbox()).items[0]?.last?.text).toEqual("So: the deposit");
  });

  it("is marked as read up to a message, never back, here or on the phone", async () => {
    const user = await newSeller(server);
    const { user_id: ann, lead } = await user.receive({ first_name: "Ann" }, "1");
    await user.receive({ first_name: "Ann", user_id: ann }, "2");
    await user.receive({ first_name: "Ann", user_id: ann }, "3");
    const [, second, first] = await user.messages(lead);
    const read = async (upTo: string | undefined) =>
      (await user.call("POST", `/leads/${lead}/read`, { up_to: upTo })).body;
    expect(await read(second?.id)).toEqual({ unread: 1 });
    expect(await read(first?.id)).toEqual({ unread: 1 });
    expect(await user.get("/api/inbox/counts")).toEqual({ waiting: 1, unread: 1 });
    const { message_id } = await user.receive({ first_name: "Ann", user_id: ann }, "4");
    await user.callSandbox("/read", { user_id: ann, message_id });
    await server.idle();
    expect(await user.lead(lead)).toMatchObject({ unread: 0, waiting_since: expect.any(String) });
    expect(await read("999999999")).toMatchObject({ code: "invalid_input" });
  });
});

describe("a lead's story", () => {
  it("lists moves and notes with their causes, newest first, in pages", async () => {
    const user = await newSeller(server);
    const stages = await user.get<{ id: string }[]>("/api/stages");
    const interested = await addStage(user, "Interested", ['"price"']);
    const { user_id: ann, lead } = await user.receive({ first_name: "Ann" }, "Hello");
    await server.advance(2);
    const { message_id } = await user.receive({ first_name: "Ann", user_id: ann }, "The price?");
    await server.advance(2);
    await user.call("PATCH", `/leads/${lead}`, { notes: "Likes blue" });
    await server.advance(2);
    const body = { stage_id: stages[0]?.id, ...RESET };
    await user.call("PATCH", `/leads/${lead}`, body);
    const person = { kind: "person", name: "Test Person" };
    const { items } = await user.get<StoryPage>(`/api/leads/${lead}/story`);
    expect(items).toMatchObject([
      { type: "stage_moved", from: interested, to: stages[0]?.id, reason: "manual", keyword: null, by: person },
      { type: "note_changed", by: person },
      {
        type: "stage_moved",
        from: stages[0]?.id,
        to: interested,
        reason: "keyword",
        keyword: "price",
        message_id,
        by: { kind: "automation" },
      },
      { type: "entered", to: stages[0]?.id },
    ]);
    const first = await user.get<StoryPage>(`/api/leads/${lead}/story?limit=3`);
    const rest = await user.get<StoryPage>(`/api/leads/${lead}/story?limit=3&before=${first.next}`);
    expect([...first.items, ...rest.items]).toEqual(items);
    expect(rest.next).toBeNull();
  });
});
