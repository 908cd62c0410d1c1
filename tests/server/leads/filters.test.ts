import { expect, it } from "vitest";
import { openLeadFilters, runLeadFilters } from "../../../tools/chaos/models/lead-filters.ts";
import { addRow } from "../../support/rows.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();
const { leads, fields, strange, list, inOrder } = await openLeadFilters(server);

it("matches a model of the list with any filters, order and page", async () => {
  expect(await runLeadFilters({ rounds: 72, seed: 11 })).toBeGreaterThan(50);
});

it("returns the time each lead entered its stage in any order", async () => {
  const entered = async (query: string) =>
    (await list(query)).body.leads.map((lead) => ("stage_entered_at" in lead ? String(lead.stage_entered_at) : null));
  const [latest] = inOrder(leads, (lead) => lead.stage_entered_at, -1);
  for (const query of ["sort=-stage_entered_at&limit=3", "sort=-stage_entered_at&limit=3000"]) {
    const moments = await entered(query);
    expect(new Date(moments[0] ?? "").toISOString()).toEqual(latest?.stage_entered_at);
    expect(moments).not.toContain(null);
  }
  for (const query of ["limit=2", "sort=name&limit=2"]) expect(await entered(query)).not.toContain(null);
});

it.each([
  ["name", "ΟΔΟΣ"],
  ["name", "İbrahim"],
  ["username", "@Ann_Lee"],
])("finds a lead by its %s %s as it is written", async (filter, text) => {
  const { userId, call } = await server.subscriber();
  const at = "2026-01-01T00:00:00Z";
  const stored = { owner_id: userId, telegram_user_id: 1, [filter]: text.replace("@", "") };
  const { id } = await addRow(server.deps.db, "leads", { ...stored, created_at: at, stage_entered_at: at });
  const { body } = await call("GET", `/leads?${filter}=${encodeURIComponent(text)}`);
  expect(body).toMatchObject({ leads: [{ id }], total: 1 });
});

it("finds no lead by a tag or field that is unknown or another owner's", async () => {
  const unknown = "00000000-0000-4000-8000-000000000000";
  for (const query of [`tag=${strange.tag}`, `tag=${unknown}`, `field.${strange.field}=a`, `field.${unknown}=1..2`])
    expect((await list(query)).body).toEqual({ leads: [], total: 0 });
});

it.each([
  ["number", "many"],
  ["number", "1..2..3"],
  ["number", ".."],
  ["date", "2026-02-30"],
  ["date", "5 March 2026..2026-03-09"],
] as const)("refuses a %s filter of '%s' and says how to write one", async (type, value) => {
  const { status, body } = await list(`field.${fields[type]}=${encodeURIComponent(value)}`);
  expect([status, body.code]).toEqual([422, "invalid_input"]);
  expect(body.message).toMatch(new RegExp(`'${type}' cannot be read. Give a (number|day) such as .*\\.\\.`));
});

it.each([
  ["number", "9..1", "1..9"],
  ["date", "2026-03-09..2026-03-05", "2026-03-05..2026-03-09"],
] as const)("explains a reversed range: %s %s", async (type, value, meant) => {
  const { status, body } = await list(`field.${fields[type]}=${value}`);
  expect([status, body.message]).toEqual([422, expect.stringContaining(`Write it as ${meant}.`)]);
});
