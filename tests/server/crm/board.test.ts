import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { Board } from "../../../domain/board.ts";
import type { Field } from "../../../domain/field.ts";
import type { Problem } from "../../../domain/problem.ts";
import { seedLeads, type SeededLead } from "../../support/seed.ts";
import { type TestUser } from "../../support/server.ts";
import { sharedServer } from "../../support/servers.ts";

const server = await sharedServer();
let user: TestUser;
let stages: string[];
let all: SeededLead[];
let deal: Field;
/** What each lead is worth, by its id. */
const worth = new Map<string, number>();

beforeAll(async () => {
  user = await server.subscriber();
  stages = [];
  for (const [index, name] of ["One", "Two", "Empty"].entries()) {
    const { body } = await ask<{ id: string }>("POST", "/stages", {
      name,
      keywords: [name.toLowerCase()],
      order: index + 1,
      color: "#123456",
    });
    stages.push(body.id);
  }
  all = await seedLeads(server.deps.db, user.userId, stages.slice(0, 2), 240);
  deal = (await ask<Field>("POST", "/fields", { name: "Deal", type: "number" })).body;
  for (const [index, { id }] of all.entries()) if (index % 3 === 0) worth.set(id, index / 10);
  await sql`insert into lead_fields (owner_id, field_id, lead_id, number_value)
    select ${user.userId}::uuid, ${deal.id}::uuid, w.key::uuid, w.value::double precision
    from jsonb_each_text(${JSON.stringify(Object.fromEntries(worth))}::jsonb) w`.execute(server.deps.db);
});

const ask = <T>(method: string, path: string, body?: unknown) =>
  server.call<T>(method, `/api${path}`, { token: user.token, body });
const board = async (query = "") => {
  const { status, body } = await ask<Board>("GET", `/board${query}`);
  expect(status).toBe(200);
  return body.columns.map(({ leads, ...column }) => ({ ...column, leads: leads.map(({ id }) => id) }));
};
const cents = (numbers: number[]) => numbers.reduce((sum, number) => sum + Math.round(number * 10), 0) / 10;
/** The board as it is counted up anew. */
const expected = (most: number, keep: (lead: SeededLead) => boolean = () => true, hasValue = true) =>
  stages.map((stage_id) => {
    const leads = all
      .filter((lead) => lead.stage_id === stage_id && keep(lead))
      .toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id));
    const value = cents(leads.map(({ id }) => worth.get(id) ?? 0));
    return {
      stage_id,
      total: leads.length,
      value: hasValue ? value : null,
      leads: leads.slice(0, most).map(({ id }) => id),
    };
  });
const byStage = async () =>
  (
    await ask<{ stage_id: string; count: number; value?: number }[]>(
      "GET",
      "/stats/stage-breakdown?start=2025-01-01T00:00:00.000Z&end=2027-01-01T00:00:00.000Z",
    )
  ).body;

test("a board has a column a stage with its count, its sum and its newest leads, as the list answers them", async () => {
  expect(await board()).toEqual(expected(50, undefined, false));
  expect((await byStage()).map((row) => Object.keys(row))).toEqual([
    ["stage_id", "count"],
    ["stage_id", "count"],
  ]);
  await ask("PATCH", `/fields/${deal.id}`, { is_value: true });
  expect(await board("?per_stage=3")).toEqual(expected(3));
  expect(await byStage()).toEqual(
    expected(0)
      .slice(0, 2)
      .map(({ stage_id, total, value }) => ({ stage_id, count: total, value })),
  );
  const { body: list } = await ask<{ leads: unknown[] }>("GET", `/leads?limit=2&stage_id=${stages[0]}`);
  expect((await ask<Board>("GET", "/board?per_stage=2")).body.columns[0]?.leads).toEqual(list.leads);
});

test("its columns are narrowed by the list's filters, and so are counts and sums", async () => {
  expect(await board("?name=ann&per_stage=5")).toEqual(expected(5, ({ name }) => name.toLowerCase().includes("ann")));
  expect(await board(`?stage_id=${stages[1]}`)).toEqual(expected(50, ({ stage_id }) => stage_id === stages[1]));
  const high = (lead: SeededLead) => (worth.get(lead.id) ?? 0) >= 10;
  expect(await board(`?field.${deal.id}=10..`)).toEqual(expected(50, high));
  expect(await board("?stage_id=none")).toEqual(expected(50, () => false));
  for (const query of ["per_stage=0", "per_stage=201", "limit=5", "colour=red", "awaiting_reply=maybe"]) {
    const { status, body } = await ask<Problem>("GET", `/board?${query}`);
    expect([query, status, Object.keys(body.fields ?? {})]).toEqual([query, 422, [query.split("=")[0]]]);
  }
});

test("its columns stand in the list's own order, also behind a filter, and go on where the list does", async () => {
  const own = (query: string, of: string) =>
    ask<{ leads: { id: string }[] }>("GET", `/leads?stage_id=${of}&${query}`).then(({ body }) =>
      body.leads.map(({ id }) => id),
    );
  for (const query of ["sort=name", "sort=-last_message_at&name=ann", `sort=-field.${deal.id}`, "sort=created_at"]) {
    const columns = await board(`?per_stage=60&${query}`);
    const lists = await Promise.all(stages.map((stage) => own(`${query}&limit=60`, stage)));
    expect([query, columns.map(({ leads }) => leads)]).toEqual([query, lists]);
    expect(columns.map(({ total }) => total)).toEqual(
      (await board(`?${query.replace(/sort=[^&]*&?/, "")}`)).map(({ total }) => total),
    );
  }
  expect((await ask("GET", "/board?sort=age")).status).toBe(422);
});

test("counts and sums are right after leads move, change their value, lose it, go, come back, or a stage goes", async () => {
  const [first, second, third] = all.filter((lead) => lead.stage_id === stages[0] && worth.has(lead.id));
  if (first === undefined || second === undefined || third === undefined) throw new Error("three leads are needed");
  await ask("PATCH", `/leads/${first.id}`, { stage_id: stages[2] });
  first.stage_id = stages[2] ?? null;
  await ask("PATCH", `/leads/${second.id}/fields`, { [deal.id]: 1000.1 });
  worth.set(second.id, 1000.1);
  await ask("PATCH", `/leads/${third.id}/fields`, { [deal.id]: null });
  worth.delete(third.id);
  expect(await board()).toEqual(expected(50));

  await server.deps.db.deleteFrom("leads").where("id", "in", [first.id, second.id]).execute();
  all = all.filter(({ id }) => id !== first.id && id !== second.id);
  expect(await board()).toEqual(expected(50));
  expect((await ask<Field[]>("GET", "/fields")).body[0]?.leads).toBe(worth.size - 2);

  const excluded = all.find(({ id }) => worth.has(id));
  const { body: exclusion } = await ask<{ telegram_user_id: string }>("POST", `/leads/${excluded?.id}/exclude`, {});
  expect(await board()).toEqual(expected(50, (lead) => lead !== excluded));
  await ask("DELETE", `/exclusions/${exclusion.telegram_user_id}`);
  expect(await board()).toEqual(expected(50));

  await ask("DELETE", `/stages/${stages[1]}`);
  all.forEach((lead) => (lead.stage_id = stages[0] ?? null));
  stages = [stages[0] ?? "", stages[2] ?? ""];
  expect(await board()).toEqual(expected(50));
});
