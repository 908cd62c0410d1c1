import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Field } from "../../../domain/field.ts";
import type { LeadDetail } from "../../../domain/lead.ts";
import type { Problem } from "../../../domain/problem.ts";
import type { StoryPage } from "../../../domain/story.ts";
import { seedLeads } from "../../support/seed.ts";
import { rowsOf } from "../../support/rows.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();
const user = await server.subscriber();
const leads = (await seedLeads(server.deps.db, user.userId, [], 4)).map(({ id }) => id);

type Refused = Problem & { fields: Record<string, unknown> };
const ask = user.call;
const newField = async (body: Partial<Field>) => (await ask<Field>("POST", "/fields", body)).body;
const fields = async () => (await ask<Field[]>("GET", "/fields")).body;
const field = async (id: string) => (await fields()).find((one) => one.id === id);
const lead = async (index = 0) => (await ask<LeadDetail>("GET", `/leads/${leads[index]}`)).body;
const set = (values: Record<string, unknown>, index = 0) =>
  ask<Refused>("PATCH", `/leads/${leads[index]}/fields`, values);
const clear = async () => {
  for (const { id } of await fields()) await ask("DELETE", `/fields/${id}`);
  await server.advance(61);
};

test("stores valid field values, in list and detail, with history", async () => {
  const types = ["text", "number", "date", "choice", "link"] as const;
  const options = (type: string) => (type === "choice" ? ["S", "M"] : null);
  const made = new Map<string, Field>();
  for (const type of types) {
    const given = options(type);
    made.set(type, await newField({ name: type, type, ...(given === null ? {} : { options: given }) }));
  }
  const fresh = { is_value: false, leads: 0 };
  expect(await fields()).toEqual(
    types.map((type) => ({ ...fresh, id: made.get(type)?.id, name: type, type, options: options(type) })),
  );
  const idOf = (type: string) => made.get(type)?.id ?? "";
  const valueOf = { text: "a note", number: -12.5, date: "2028-02-29", choice: "M", link: "https://example.com/?a=1" };
  const values = Object.fromEntries(types.map((type) => [idOf(type), valueOf[type]]));
  const answer = await set(values);
  expect([answer.status, answer.body]).toEqual([200, { fields: values }]);
  expect((await lead()).fields).toEqual(values);
  const { body: page } = await ask<{ leads: LeadDetail[] }>("GET", "/leads?limit=50");
  expect(page.leads.find(({ id }) => id === leads[0])?.fields).toEqual(values);
  expect(page.leads.find(({ id }) => id === leads[1])?.fields).toEqual({});

  const cleared = await set({ [idOf("text")]: " ", [idOf("number")]: 0, [idOf("choice")]: "M" });
  expect(cleared.body.fields).toEqual({ ...values, [idOf("number")]: 0, [idOf("text")]: undefined });
  const { body: story } = await ask<StoryPage>("GET", `/leads/${leads[0]}/story`);
  expect(story.items.find(({ type }) => type === "fields_changed")?.["changes"]).toEqual([
    { id: idOf("text"), name: "text", before: "a note", after: null },
    { id: idOf("number"), name: "number", before: -12.5, after: 0 },
  ]);
  expect((await fields()).map(({ leads: count }) => count)).toEqual([0, 1, 1, 1, 1]);

  const unknown = "00000000-0000-4000-8000-000000000000";
  const bad = { [idOf("number")]: "12", [idOf("date")]: "2027-02-30", [unknown]: 1 };
  const wrong = await set({ ...bad, [idOf("text")]: "kept?" });
  expect([wrong.status, Object.keys(wrong.body.fields).toSorted()]).toEqual([422, Object.keys(bad).toSorted()]);
  expect(wrong.body.message).toMatch(/^number: Must be a number/);
  expect((await set({ nonsense: 1 })).status).toBe(422);
  expect((await lead()).fields).toEqual(cleared.body.fields);
});

test("splits no emoji where the history shortens a long value", async () => {
  await clear();
  const note = await newField({ name: "Note", type: "text" });
  const value = `${"a".repeat(119)}😀😀`;
  const answer = await set({ [note.id]: value });
  expect([answer.status, answer.body]).toEqual([200, { fields: { [note.id]: value } }]);
  const { body: story } = await ask<StoryPage>("GET", `/leads/${leads[0]}/story`);
  const changes = [{ id: note.id, name: "Note", before: null, after: "a".repeat(119) }];
  expect(story.items[0]).toMatchObject({ type: "fields_changed", changes });
});

test("renames a field, allows one numeric value field, and refuses invalid options", async () => {
  await clear();
  const deal = await newField({ name: "Deal", type: "number", is_value: true });
  const cost = await newField({ name: "Cost", type: "number" });
  const values = async () => (await fields()).map(({ name, is_value }) => (is_value ? `${name}: the value` : name));
  expect(await values()).toEqual(["Deal: the value", "Cost"]);
  const changed = { is_value: true, name: "Costs" };
  expect((await ask<Field>("PATCH", `/fields/${cost.id}`, changed)).body).toEqual({ ...cost, ...changed });
  expect(await values()).toEqual(["Deal", "Costs: the value"]);
  const note = await newField({ name: "Note", type: "text" });
  for (const body of [{ is_value: true }, { options: ["a"] }, { type: "number" }])
    expect([body, (await ask("PATCH", `/fields/${note.id}`, body)).status]).toEqual([body, 422]);
  expect((await ask<Problem>("POST", "/fields", { name: "DEAL", type: "text" })).body.code).toBe("field_name_taken");

  // A field that became the value field after the deletion stays it.
  await ask("DELETE", `/fields/${cost.id}`);
  await ask("PATCH", `/fields/${deal.id}`, { is_value: true });
  await ask("POST", `/fields/${cost.id}/restore`);
  expect(await values()).toEqual(["Deal: the value", "Costs", "Note"]);

  await sql`insert into fields (owner_id, name, type, created_at)
    select ${user.userId}::uuid, 'f' || n, 'text', now() from generate_series(4, 30) n`.execute(server.deps.db);
  const more = await ask("POST", "/fields", { name: "f30", type: "text" });
  expect(more).toMatchObject({ status: 409, body: { code: "too_many_fields" } });
});

test("deletes a field with its values, and restores both within a minute", async () => {
  await clear();
  const size = await newField({ name: "Size", type: "number", is_value: true });
  await set({ [size.id]: 0.1 });
  await set({ [size.id]: 0.2 }, 1);
  expect((await field(size.id))?.leads).toBe(2);
  const deleted = await ask("DELETE", `/fields/${size.id}`);
  expect([deleted.status, deleted.body]).toEqual([200, { success: true, leads: 2 }]);
  expect([(await lead()).fields, await fields(), (await set({ [size.id]: 3 })).status]).toEqual([{}, [], 422]);
  expect((await ask<Field>("POST", `/fields/${size.id}/restore`)).body).toEqual({ ...size, leads: 2 });
  expect([(await lead()).fields, (await lead(1)).fields]).toEqual([{ [size.id]: 0.1 }, { [size.id]: 0.2 }]);
  await ask("DELETE", `/fields/${size.id}`);
  await server.advance(61);
  expect((await ask("POST", `/fields/${size.id}/restore`)).status).toBe(404);
  expect(await rowsOf(server.deps.db, "lead_fields", { field_id: size.id })).toEqual([]);
});

test("deletes an option in use only with a replacement", async () => {
  await clear();
  const { id } = await newField({ name: "Size", type: "choice", options: ["S", "M", "L", "XL"] });
  for (const [index, size] of ["S", "S", "M", "L"].entries()) await set({ [id]: size }, index);
  const patch = (body: unknown) => ask<Problem & Field>("PATCH", `/fields/${id}`, body);
  const held = async () => Promise.all([0, 1, 2, 3].map(async (index) => (await lead(index)).fields[id] ?? null));
  expect((await patch({ options: ["L", "M", "S"] })).body.options).toEqual(["L", "M", "S"]);
  const refused = await patch({ options: ["L"] });
  const message = expect.stringMatching(/^3 leads hold “M”, “S”\./);
  const body = { code: "option_in_use", message, params: { leads: 3, options: ["M", "S"] } };
  expect(refused).toMatchObject({ status: 409, body });
  expect((await patch({ options: ["L"], move_to: "S" })).status).toBe(422);
  expect(await held()).toEqual(["S", "S", "M", "L"]);
  expect((await field(id))?.options).toEqual(["L", "M", "S"]);

  expect((await patch({ options: ["Small", "M", "L"], move_to: "Small" })).body.options).toEqual(["Small", "M", "L"]);
  expect(await held()).toEqual(["Small", "Small", "M", "L"]);
  const { body: story } = await ask<StoryPage>("GET", `/leads/${leads[0]}/story`);
  const changes = [{ id, name: "Size", before: "S", after: "Small" }];
  expect(story.items[0]).toMatchObject({ type: "fields_changed", by: { kind: "person" }, changes });
  expect((await patch({ options: ["M", "L"], move_to: null })).status).toBe(200);
  expect([await held(), (await field(id))?.leads]).toEqual([[null, null, "M", "L"], 2]);
});
