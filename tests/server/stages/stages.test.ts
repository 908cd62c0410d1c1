import { beforeEach, expect, test } from "vitest";
import { runRearranging, runTwoTabs } from "../../../tools/chaos/models/stage-order.ts";
import { seedLeads } from "../../support/seed.ts";
import { sharedServer, type TestUser } from "../../support/server.ts";
import { rowsOf } from "../../support/rows.ts";

type Stage = { id: string; name: string; order: number; color: string; keywords: string[] };
const server = await sharedServer();
let user: TestUser;

beforeEach(async () => {
  user = await server.subscriber();
});

const list = async () => (await user.call<Stage[]>("GET", "/stages")).body;
const add = <T = Stage>(name: string, keywords = [name.toLowerCase()]) =>
  user.call<T>("POST", "/stages", { name, keywords, color: "#123456" });
const names = async () => (await list()).map(({ order, name }) => `${order} ${name}`);

test("creates Initial Contact for a new account, and not again after deletion", async () => {
  const [initial] = await list();
  expect(initial).toMatchObject({ name: "Initial Contact", order: 1, color: "#999999" });
  expect((await user.call("DELETE", `/stages/${initial?.id}`)).status).toBe(200);
  expect(await list()).toEqual([]);
});

test("warns of meaningless keywords, which move no lead", async () => {
  const { status, body } = await add("Short", ["a", "", " ", "price"]);
  const warnings = ["The keyword a is too short and is ignored: put it in quotes to match it as a word."];
  expect([status, body]).toMatchObject([201, { keywords: ["a", "price"], warnings }]);
  const { id, name, color, order } = body;
  const saved = await user.call("PATCH", `/stages/${id}`, { name, color, order, keywords: ["price"] });
  expect([saved.status, saved.body]).toEqual([200, { id, name, color, order, keywords: ["price"] }]);
});

test("stores a reordered list in any sequence of saves", async () => {
  expect(await runRearranging(server, { rounds: 20, seed: 7 })).toHaveLength(5);
});

test("requires unique names, ignoring case; a refusal changes nothing", async () => {
  await list();
  await add("Interested");
  const body = { code: "stage_name_taken", fields: { name: expect.stringContaining("already") } };
  expect(await add("INTERESTED")).toMatchObject({ status: 409, body });
  expect(await names()).toEqual(["1 Initial Contact", "2 Interested"]);
});

test("moves leads to the first stage, unassigns follow-ups and closes the gap", async () => {
  const [initial] = await list();
  const { body: middle } = await add("Middle");
  await add("Last");
  await seedLeads(server.deps.db, user.userId, [middle.id], 5);
  expect((await user.call("POST", "/followups", { stage_id: middle.id, message: "hi" })).status).toBe(200);
  expect((await user.call("DELETE", `/stages/${middle.id}`)).status).toBe(200);
  expect(await names()).toEqual(["1 Initial Contact", "2 Last"]);
  const columns = ["stage_id", "stage_entry_epoch", "followup_order_sent"] as const;
  const moved = { stage_id: initial?.id, stage_entry_epoch: 2, followup_order_sent: 0 };
  const leads = await rowsOf(server.deps.db, "leads", { owner_id: user.userId }, columns);
  expect(leads).toEqual(Array.from({ length: 5 }, () => moved));
  const { body: followups } = await user.call<{ stage_id: string | null }[]>("GET", "/followups");
  expect(followups.map(({ stage_id }) => stage_id)).toEqual([null]);
});

test("refuses to delete the last stage with leads, and says how many", async () => {
  const [initial] = await list();
  await seedLeads(server.deps.db, user.userId, [initial?.id ?? ""], 3);
  const body = { code: "last_stage_in_use", message: expect.stringContaining("3 leads") };
  expect(await user.call("DELETE", `/stages/${initial?.id}`)).toMatchObject({ status: 409, body });
});

test("keeps orders 1..n and all leads with concurrent saves, swaps and deletes", async () => {
  expect((await runTwoTabs(server, { rounds: 40, seed: 11 })).length).toBeGreaterThan(1);
});

test.each([
  [{ name: " ", keywords: ["x"], color: "#123456" }],
  [{ name: "A", keywords: [], color: "#123456" }],
  [{ name: "A", keywords: ["x"], color: "red" }],
  [{ name: "A", keywords: ["x"], color: "#123456", owner_id: "me" }],
  [{ name: "A", keywords: ["x"], color: "#123456", order: 0 }],
])("refuses %j", async (body) => {
  expect((await user.call("POST", "/stages", body)).status).toBe(422);
});
