import { beforeEach, expect, test } from "vitest";
import { newSeller, type ConnectedSeller } from "./support.ts";
import { RESET } from "../../support/leads.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();
let seller: ConnectedSeller;
beforeEach(async () => {
  seller = await newSeller(server);
});

const call = <T = { waiting_since: string | null }>(method: string, path: string, body?: unknown) =>
  seller.call<T>(method, path, body);
const done = (id: string, isDone = true) => call("POST", `/leads/${id}/done`, { done: isDone });
const waiting = async () => {
  const { items } = await seller.inbox("?view=waiting");
  const { waiting: count } = await seller.get<{ waiting: number }>("/api/inbox/counts");
  expect(count).toEqual(items.length);
  return items.map(({ lead }) => lead.name ?? "");
};

test("ends the wait of a done conversation until a new message or Undo", async () => {
  const ann = await seller.receive({ first_name: "Ann" }, "How much is it?");
  const since = (await seller.inbox("?view=waiting")).items[0]?.waiting_since;
  const events: unknown[] = [];
  const off = server.deps.bus.on("event", (event) => events.push(event));
  expect(await done(ann.lead)).toMatchObject({ status: 200, body: { waiting_since: null } });
  await server.idle();
  for (const type of ["inbox.changed", "lead.changed"])
    expect(events).toContainEqual(expect.objectContaining({ user_id: seller.userId, type }));
  off();
  expect(await waiting()).toEqual([]);
  expect((await seller.lead(ann.lead)).unread).toEqual(1);
  expect((await seller.inbox("?view=unread")).items).toHaveLength(1);
  expect((await done(ann.lead)).body).toEqual({ waiting_since: null });
  expect((await done(ann.lead, false)).body).toEqual({ waiting_since: since });
  expect(await waiting()).toEqual(["Ann"]);
  expect((await done(ann.lead, false)).body).toEqual({ waiting_since: since });
  await done(ann.lead);
  await seller.receive({ first_name: "Ann", user_id: ann.user_id }, "Are you there?");
  expect(await waiting()).toEqual(["Ann"]);
});

test("keeps a newer message waiting, and restores the older on Undo", async () => {
  const ann = await seller.receive({ first_name: "Ann" }, "How much is it?");
  const shown = (await seller.inbox("?view=waiting")).items[0]?.last;
  await seller.receive({ first_name: "Ann", user_id: ann.user_id }, "Are you there?");
  const [unseen] = await seller.messages(ann.lead);
  const doneUpTo = (id: string | undefined) => call("POST", `/leads/${ann.lead}/done`, { done: true, up_to: id });
  const at = (time: string | null | undefined) => Date.parse(time ?? "");
  expect(at((await doneUpTo(shown?.id)).body.waiting_since)).toEqual(at(unseen?.at));
  expect(await waiting()).toEqual(["Ann"]);
  expect(at((await done(ann.lead, false)).body.waiting_since)).toEqual(at(shown?.at));
  expect((await doneUpTo(unseen?.id)).body).toEqual({ waiting_since: null });
  expect(await waiting()).toEqual([]);
  const [other] = await seller.messages((await seller.receive({ first_name: "Ben" }, "Hi")).lead);
  expect((await doneUpTo(other?.id)).status).toEqual(422);
});

test("does not restore the wait after a reply", async () => {
  const ann = await seller.receive({ first_name: "Ann" }, "How much is it?");
  await done(ann.lead);
  const reply = await call<{ id: string }>("POST", `/leads/${ann.lead}/messages`, { text: "It is 120." });
  await seller.until(ann.lead, (all) => all.some(({ id, state }) => id === reply.body.id && state === "sent"));
  expect((await done(ann.lead, false)).body).toEqual({ waiting_since: null });
  expect(await waiting()).toEqual([]);
});

test("ends the wait on a manual move, restores it on undo, ignores keyword moves", async () => {
  const ann = await seller.receive({ first_name: "Ann" }, "Hello");
  const ben = await seller.receive({ first_name: "Ben" }, "Hi");
  const since = (await seller.lead(ann.lead)).waiting_since;
  const stage = { name: "Won", keywords: ["deal"], order: 2, color: "#123456" };
  const won = (await call<{ id: string }>("POST", "/stages", stage)).body.id;
  await call("PATCH", `/leads/${ann.lead}`, { stage_id: won, ...RESET });
  expect(await waiting()).toEqual(["Ben"]);
  expect((await call("POST", `/leads/${ann.lead}/stage/undo`)).status).toEqual(200);
  expect((await seller.lead(ann.lead)).waiting_since).toEqual(since);
  await call("PATCH", `/leads/${ann.lead}`, { stage_id: won, ...RESET });
  await seller.receive({ first_name: "Ann", user_id: ann.user_id }, "One more thing");
  await seller.receive({ first_name: "Ben", user_id: ben.user_id }, "It is a deal");
  expect((await seller.lead(ben.lead)).stage_id).toBe(won);
  expect((await waiting()).toSorted()).toEqual(["Ann", "Ben"]);
});

test("lists waiting leads longest first, or newest first, page by page", async () => {
  const names = ["Ann", "Ben", "Cleo", "Dee"];
  const people = [];
  for (const name of names) {
    people.push(await seller.receive({ first_name: name }, "Hello"));
    await server.advance(60);
  }
  await seller.receive({ first_name: "Ann", user_id: people[0]?.user_id ?? 0 }, "Still there?");
  const pages = async (order: string) => {
    const all: (string | null)[] = [];
    for (let before = ""; ;) {
      const { items, next } = await seller.inbox(`?view=waiting&limit=3&order=${order}${before}`);
      all.push(...items.map(({ lead }) => lead.name));
      if (next === null) return all;
      before = `&before=${next}`;
    }
  };
  expect(await pages("longest")).toEqual(["Ann", "Ben", "Cleo", "Dee"]);
  expect(await pages("newest")).toEqual(["Ann", "Dee", "Cleo", "Ben"]);
  expect((await call("GET", "/inbox?view=waiting&order=sideways")).status).toEqual(422);
});
