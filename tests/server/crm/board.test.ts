import { expect, test } from "vitest";
import type { Board } from "../../../domain/board.ts";
import type { Field } from "../../../domain/field.ts";
import type { Problem } from "../../../domain/problem.ts";
import { openBoard } from "../../../tools/chaos/models/board.ts";
import type { SeededLead } from "../../support/seed.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();
const { ask, board, expected, byStage, world, worth, deal } = await openBoard(server);

test("returns a column per stage with count, sum and newest leads", async () => {
  expect(await board()).toEqual(expected(50, undefined, false));
  for (const row of await byStage()) expect(Object.keys(row)).toEqual(["stage_id", "count"]);
  await ask("PATCH", `/fields/${deal.id}`, { is_value: true });
  expect(await board("?per_stage=3")).toEqual(expected(3));
  expect(await byStage()).toEqual(
    expected(0)
      .slice(0, 2)
      .map(({ stage_id, total, value }) => ({ stage_id, count: total, value })),
  );
  const { body: list } = await ask<{ leads: unknown[] }>("GET", `/leads?limit=2&stage_id=${world.stages[0]}`);
  expect((await ask<Board>("GET", "/board?per_stage=2")).body.columns[0]?.leads).toEqual(list.leads);
});

test("applies the list's filters to columns, counts and sums", async () => {
  expect(await board("?name=ann&per_stage=5")).toEqual(expected(5, ({ name }) => name.toLowerCase().includes("ann")));
  expect(await board(`?stage_id=${world.stages[1]}`)).toEqual(
    expected(50, ({ stage_id }) => stage_id === world.stages[1]),
  );
  const high = (lead: SeededLead) => (worth.get(lead.id) ?? 0) >= 10;
  expect(await board(`?field.${deal.id}=10..`)).toEqual(expected(50, high));
  expect(await board("?stage_id=none")).toEqual(expected(50, () => false));
  for (const query of ["per_stage=0", "per_stage=201", "limit=5", "colour=red", "awaiting_reply=maybe"]) {
    const { status, body } = await ask<Problem>("GET", `/board?${query}`);
    expect([query, status, Object.keys(body.fields ?? {})]).toEqual([query, 422, [query.split("=")[0]]]);
  }
});

test("orders its columns like the list, also filtered and on later pages", async () => {
  const own = (query: string, of: string) =>
    ask<{ leads: { id: string }[] }>("GET", `/leads?stage_id=${of}&${query}`).then(({ body }) =>
      body.leads.map(({ id }) => id),
    );
  for (const query of ["sort=name", "sort=-last_message_at&name=ann", `sort=-field.${deal.id}`, "sort=created_at"]) {
    const columns = await board(`?per_stage=60&${query}`);
    const lists = await Promise.all(world.stages.map((stage) => own(`${query}&limit=60`, stage)));
    expect([query, columns.map(({ leads }) => leads)]).toEqual([query, lists]);
    expect(columns.map(({ total }) => total)).toEqual(
      (await board(`?${query.replace(/sort=[^&]*&?/, "")}`)).map(({ total }) => total),
    );
  }
  expect((await ask("GET", "/board?sort=age")).status).toBe(422);
});

test("keeps counts and sums right after every kind of change", async () => {
  const [first, second, third] = world.all.filter((lead) => lead.stage_id === world.stages[0] && worth.has(lead.id));
  if (first === undefined || second === undefined || third === undefined) throw new Error("three leads are needed");
  await ask("PATCH", `/leads/${first.id}`, { stage_id: world.stages[2] });
  first.stage_id = world.stages[2] ?? null;
  await ask("PATCH", `/leads/${second.id}/fields`, { [deal.id]: 1000.1 });
  worth.set(second.id, 1000.1);
  await ask("PATCH", `/leads/${third.id}/fields`, { [deal.id]: null });
  worth.delete(third.id);
  expect(await board()).toEqual(expected(50));

  await server.deps.db.deleteFrom("leads").where("id", "in", [first.id, second.id]).execute();
  world.all = world.all.filter(({ id }) => id !== first.id && id !== second.id);
  expect(await board()).toEqual(expected(50));
  expect((await ask<Field[]>("GET", "/fields")).body[0]?.leads).toBe(worth.size - 2);

  const excluded = world.all.find(({ id }) => worth.has(id));
  const { body: exclusion } = await ask<{ telegram_user_id: string }>("POST", `/leads/${excluded?.id}/exclude`, {});
  expect(await board()).toEqual(expected(50, (lead) => lead !== excluded));
  await ask("DELETE", `/exclusions/${exclusion.telegram_user_id}`);
  expect(await board()).toEqual(expected(50));

  await ask("DELETE", `/stages/${world.stages[1]}`);
  world.all.forEach((lead) => (lead.stage_id = world.stages[0] ?? null));
  world.stages = [world.stages[0] ?? "", world.stages[2] ?? ""];
  expect(await board()).toEqual(expected(50));
});
