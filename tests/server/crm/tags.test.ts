import { expect, test } from "vitest";
import type { LeadDetail } from "../../../domain/lead.ts";
import type { Problem } from "../../../domain/problem.ts";
import type { StoryPage } from "../../../domain/story.ts";
import type { Tag } from "../../../domain/tag.ts";
import type { View } from "../../../domain/view.ts";
import { seedLeads } from "../../support/seed.ts";
import { sharedServer } from "../../support/server.ts";
import { removeRows, rowsOf } from "../../support/rows.ts";

const server = await sharedServer();
const user = await server.subscriber();
const leads = (await seedLeads(server.deps.db, user.userId, [], 3)).map(({ id }) => id);

const ask = user.call;
const newTag = async (name: string, color = "#112233") => (await ask<Tag>("POST", "/tags", { name, color })).body;
const tags = async () => (await ask<Tag[]>("GET", "/tags")).body;
const lead = async (id = leads[0]) => (await ask<LeadDetail>("GET", `/leads/${id}`)).body;
const carry = (ids: (string | undefined)[], id = leads[0]) =>
  ask<{ tags: { name: string }[] } & Problem>("PUT", `/leads/${id}/tags`, { tag_ids: ids });
const events = async () =>
  (await ask<StoryPage>("GET", `/leads/${leads[0]}/story`)).body.items.filter(({ type }) => type === "tags_changed");

test("creates, renames and colors tags, ordered by name", async () => {
  const made = await ask<Tag>("POST", "/tags", { name: " vip ", color: "#aabbcc" });
  expect([made.status, made.body]).toEqual([201, { id: expect.any(String), name: "vip", color: "#aabbcc", leads: 0 }]);
  const plain = (await ask<Tag>("POST", "/tags", { name: "Cold" })).body;
  expect(plain.color).toMatch(/^#[0-9a-f]{6}$/);
  expect((await ask<Tag>("PATCH", `/tags/${plain.id}`, { name: "Warm" })).body).toEqual({ ...plain, name: "Warm" });
  expect((await ask<Tag>("PATCH", `/tags/${plain.id}`, { color: "#000000" })).body.color).toBe("#000000");
  expect((await tags()).map(({ name }) => name)).toEqual(["vip", "Warm"]);
  const taken = await ask<Problem>("POST", "/tags", { name: "VIP" });
  const message = "Another tag has that name already. Choose a different one.";
  const body = { code: "tag_name_taken", message, params: { reason: "new" }, fields: { name: message } };
  expect([taken.status, taken.body]).toEqual([409, body]);
  expect((await ask<Problem>("PATCH", `/tags/${plain.id}`, { name: "Vip" })).body.code).toBe("tag_name_taken");
  for (const body of [{ name: " " }, { name: "x", color: "red" }, { name: "x".repeat(61) }, { name: "x", extra: 1 }])
    expect((await ask("POST", "/tags", body)).status).toBe(422);
});

test("stores exactly the given tags, in list and detail, with history", async () => {
  const [hot, old] = [await newTag("Hot", "#ff0000"), await newTag("Old")];
  const shown = ({ id, name, color }: Tag) => ({ id, name, color });
  const given = await carry([old.id, hot.id, hot.id]);
  expect([given.status, given.body]).toEqual([200, { tags: [shown(hot), shown(old)] }]);
  expect((await lead()).tags).toEqual([shown(hot), shown(old)]);
  const { body: page } = await ask<{ leads: LeadDetail[] }>("GET", "/leads?limit=50");
  const carried = page.leads.map((row) => [row.id, row.tags, row.fields]);
  expect(carried).toHaveLength(3);
  expect(carried).toEqual(
    expect.arrayContaining(leads.map((id, index) => [id, index === 0 ? [shown(hot), shown(old)] : [], {}])),
  );
  expect((await tags()).find(({ id }) => id === hot.id)?.leads).toBe(1);
  await carry([hot.id]);
  await carry([hot.id]);
  const named = ({ id, name }: Tag) => ({ id, name });
  expect(await events()).toMatchObject([
    { added: [], removed: [named(old)], by: { kind: "person" } },
    { added: [named(hot), named(old)], removed: [] },
  ]);
  const unknown = await carry([hot.id, "00000000-0000-4000-8000-000000000000"]);
  expect([unknown.status, unknown.body.fields]).toEqual([422, { tag_ids: "Holds an unknown tag." }]);
  expect((await lead()).tags).toEqual([shown(hot)]);
});

test("removes a deleted tag from all leads, and restores it within a minute", async () => {
  const [gone, other] = [await newTag("Gone"), await newTag("Other")];
  await carry([gone.id, other.id]);
  await carry([gone.id], leads[1]);
  const before = await lead();
  const deleted = await ask("DELETE", `/tags/${gone.id}`);
  expect([deleted.status, deleted.body]).toEqual([200, { success: true, leads: 2 }]);
  expect((await lead()).tags.map(({ name }) => name)).toEqual(["Other"]);
  expect((await tags()).some(({ id }) => id === gone.id)).toBe(false);
  expect((await ask("PATCH", `/tags/${gone.id}`, { name: "x" })).status).toBe(404);
  expect((await carry([gone.id])).status).toBe(422);
  // Setting tags after the deletion affects only the visible ones.
  await carry([]);
  await carry([other.id]);
  // Half a minute of the undo period passes; the rest leaves room for a slow machine.
  await server.advance(35);
  expect((await ask<Tag>("POST", `/tags/${gone.id}/restore`)).body).toEqual({ ...gone, leads: 2 });
  expect((await ask<Tag>("POST", `/tags/${gone.id}/restore`)).status).toBe(200);
  expect(await lead()).toEqual(before);

  await ask("DELETE", `/tags/${gone.id}`);
  await newTag("GONE");
  expect((await ask<Problem>("POST", `/tags/${gone.id}/restore`)).body.code).toBe("tag_name_taken");
  await server.advance(61);
  expect((await ask("POST", `/tags/${gone.id}/restore`)).status).toBe(404);
  expect(await rowsOf(server.deps.db, "lead_tags", { tag_id: gone.id })).toEqual([]);
});

test("stores a view's filters, sort and columns, and restores it after deletion", async () => {
  await removeRows(server.deps.db, "views", { owner_id: user.userId });
  const query = "name=ann&sort=-last_message_at";
  const form = { name: "Warm ones", kind: "board", query, columns: ["name", "tags"] };
  const { body: view } = await ask<View>("POST", "/views", form);
  expect(view).toEqual({ id: expect.any(String), ...form });
  const changed = { kind: "list", columns: [] };
  expect((await ask<View>("PATCH", `/views/${view.id}`, changed)).body).toEqual({ ...view, ...changed });
  const unread = await ask<Problem>("PATCH", `/views/${view.id}`, { query: "colour=red" });
  expect([unread.status, Object.keys(unread.body.fields ?? {})]).toEqual([422, ["query"]]);
  expect((await ask("POST", "/views", { name: "x", query: "sort=age" })).status).toBe(422);
  expect((await ask<Problem>("POST", "/views", { name: "WARM ones" })).body.code).toBe("view_name_taken");
  expect((await ask("DELETE", `/views/${view.id}`)).body).toEqual({ success: true });
  expect((await ask<View[]>("GET", "/views")).body).toEqual([]);
  const restored = await ask<View>("POST", `/views/${view.id}/restore`);
  expect(restored.body).toMatchObject({ name: "Warm ones", kind: "list" });
});
