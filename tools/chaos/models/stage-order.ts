import { expect } from "vitest";
import { rowsOf } from "../../../tests/support/rows.ts";
import { randomStream, seedLeads } from "../../../tests/support/seed.ts";
import type { TestServer } from "../../../tests/support/server.ts";

type Stage = { id: string; name: string; order: number; color: string; keywords: string[] };

/** Creates a user with these stages after the first one, and returns the calls for them. */
async function sellerWithStages(server: TestServer, others: string[]) {
  const { token, userId } = await server.subscriber();
  const call = <T = unknown>(method: string, path: string, body?: unknown) =>
    server.call<T>(method, path, { token, body });
  const list = async () => (await call<Stage[]>("GET", "/api/stages")).body;
  await list();
  for (const name of others) await call("POST", "/api/stages", { name, keywords: [name], color: "#123456" });
  return { userId, call, list };
}

/** Saves all stages of a reordered list at once, in random order. @throws when the list does not end as shown */
export async function runRearranging(server: TestServer, { rounds, seed }: { rounds: number; seed: number }) {
  const { call, list } = await sellerWithStages(server, ["B", "C", "D", "E"]);
  const random = randomStream(seed);
  for (let round = 0; round < rounds; round += 1) {
    const present = await list();
    const wanted = present
      .map((stage) => ({ stage, key: random() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ stage }) => stage);
    const saves = wanted
      .map((stage, index) => ({ stage, order: index + 1, key: random() }))
      .toSorted((a, b) => a.key - b.key);
    await Promise.all(
      saves.map(({ stage, order }) =>
        call("PATCH", `/api/stages/${stage.id}`, {
          name: stage.name,
          keywords: stage.keywords,
          color: stage.color,
          order,
        }),
      ),
    );
    expect((await list()).map(({ id, order }) => [id, order])).toEqual(wanted.map(({ id }, index) => [id, index + 1]));
  }
  return list();
}

/** Saves, swaps and deletes stages in three concurrent calls. @throws when orders are not 1..n, or a lead is lost */
export async function runTwoTabs(server: TestServer, { rounds, seed }: { rounds: number; seed: number }) {
  const { userId, call, list } = await sellerWithStages(server, ["B", "C", "D", "E", "F"]);
  await seedLeads(
    server.deps.db,
    userId,
    (await list()).map(({ id }) => id),
    30,
  );
  const random = randomStream(seed);
  const act = async (round: number) => {
    const stages = await list();
    const pick = () => stages[Math.floor(random() * stages.length)] as Stage;
    const roll = random();
    if (roll < 0.15)
      return call("POST", "/api/stages", {
        name: `New ${round} ${random()}`,
        keywords: ["n"],
        color: "#123456",
        order: 1 + Math.floor(random() * 9),
      });
    if (roll < 0.3 && stages.length > 2) return call("DELETE", `/api/stages/${pick().id}`);
    return call("PATCH", `/api/stages/${pick().id}`, { order: 1 + Math.floor(random() * 9) });
  };
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all([act(round), act(round), act(round)]);
    for (const { status } of answers) expect([200, 201, 404, 409]).toContain(status);
  }
  const stages = await list();
  expect(stages.map(({ order }) => order)).toEqual(stages.map((_, index) => index + 1));
  const { body } = await call<{ total: number }>("GET", "/api/leads?limit=1");
  const counted = await rowsOf(server.deps.db, "leads", { owner_id: userId }, ["stage_id"]);
  expect(body.total).toBe(30);
  expect(counted.every(({ stage_id }) => stages.some(({ id }) => id === stage_id))).toBe(true);
  return stages;
}
