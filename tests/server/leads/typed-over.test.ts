import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { LeadDetail } from "../../../domain/lead.ts";
import type { Problem } from "../../../domain/problem.ts";
import { seedLeads } from "../../support/seed.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();
const user = await server.subscriber();
const path = `/leads/${(await seedLeads(server.deps.db, user.userId, [], 1))[0]?.id}`;

const markOf = (text: string) => `"${createHash("sha256").update(text).digest("hex")}"`;
const lead = async () => (await user.call<LeadDetail>("GET", path)).body;
const change = async (body: object, over?: string) => {
  const answer = await user.call<Problem>("PATCH", path, body, over === undefined ? {} : { "if-match": over });
  return answer.status === 200 ? 200 : [answer.status, answer.body.code];
};
const CHANGED = [412, "changed_meanwhile"];

test("saves notes only over the version they are based on", async () => {
  expect(await change({ notes: "Ann, shop" }, markOf(""))).toBe(200);
  expect(await change({ add_note: "Called — 2 €" })).toBe(200);
  expect([await change({ notes: "Ann, two shops" }, markOf("Ann, shop")), (await lead()).notes]).toEqual([
    CHANGED,
    "Ann, shop\nCalled — 2 €",
  ]);
  expect(await change({ notes: "Both" }, markOf("Ann, shop\nCalled — 2 €"))).toBe(200);
  expect(await change({ notes: "Both" }, markOf("what a lost answer left"))).toBe(200);
  expect([await change({ notes: "Without a mark" }), (await lead()).notes]).toEqual([200, "Without a mark"]);
});

test("saves a draft only over none or the one it is based on", async () => {
  expect(await change({ draft: "A program's" })).toBe(200);
  for (const draft of ["Mine", "", null]) expect(await change({ draft }, markOf(""))).toEqual(CHANGED);
  expect((await lead()).draft).toBe("A program's");
  expect(await change({ draft: "Mine" }, markOf("A program's"))).toBe(200);
  expect(await change({ draft: "" }, markOf("Mine"))).toBe(200);
  expect([await change({ draft: "Typed on" }, markOf("Mine")), (await lead()).draft]).toEqual([200, "Typed on"]);
});

test("accepts one of two concurrent edits, and refuses the other as stale", async () => {
  expect(await change({ notes: "Base" })).toBe(200);
  const both = await Promise.all(["One", "Two"].map((notes) => change({ notes }, markOf("Base"))));
  expect(both).toHaveLength(2);
  expect(both).toContain(200);
  expect(both).toContainEqual(CHANGED);
});

test("refuses an invalid hash", async () => {
  for (const mark of ["*", "abc", `W/${markOf("")}`, markOf("").replaceAll('"', "")])
    expect(await change({ draft: "x" }, mark)).toEqual([422, "invalid_input"]);
});
