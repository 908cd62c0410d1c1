import { sql } from "kysely";
import { expect } from "vitest";
import type { Board } from "../../../domain/board.ts";
import type { Field } from "../../../domain/field.ts";
import { seedLeads, type SeededLead } from "../../../tests/support/seed.ts";
import type { TestServer } from "../../../tests/support/server.ts";

/** Seeds a board of a new user. `expected` computes it lead by lead from `world`, which a test changes along with the leads. */
export async function openBoard(server: TestServer) {
  const user = await server.subscriber();
  const ask = <T>(method: string, path: string, body?: unknown) =>
    server.call<T>(method, `/api${path}`, { token: user.token, body });
  const stages: string[] = [];
  /** The worth of each lead, by id. */
  const worth = new Map<string, number>();
  for (const [index, name] of ["One", "Two", "Empty"].entries()) {
    const { body } = await ask<{ id: string }>("POST", "/stages", {
      name,
      keywords: [name.toLowerCase()],
      order: index + 1,
      color: "#123456",
    });
    stages.push(body.id);
  }
  const all = await seedLeads(server.deps.db, user.userId, stages.slice(0, 2), 240);
  const deal = (await ask<Field>("POST", "/fields", { name: "Deal", type: "number" })).body;
  for (const [index, { id }] of all.entries()) if (index % 3 === 0) worth.set(id, index / 10);
  await sql`insert into lead_fields (owner_id, field_id, lead_id, number_value)
    select ${user.userId}::uuid, ${deal.id}::uuid, w.key::uuid, w.value::double precision
    from jsonb_each_text(${JSON.stringify(Object.fromEntries(worth))}::jsonb) w`.execute(server.deps.db);
  const world = { stages, all };
  const board = async (query = "") => {
    const { status, body } = await ask<Board>("GET", `/board${query}`);
    expect(status).toBe(200);
    return body.columns.map(({ leads, ...column }) => ({ ...column, leads: leads.map(({ id }) => id) }));
  };
  const cents = (numbers: number[]) => numbers.reduce((sum, number) => sum + Math.round(number * 10), 0) / 10;
  /** Computes the board from scratch. */
  const expected = (most: number, keep: (lead: SeededLead) => boolean = () => true, hasValue = true) =>
    world.stages.map((stage_id) => {
      const leads = world.all
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
  return { ask, board, expected, byStage, world, worth, deal };
}
