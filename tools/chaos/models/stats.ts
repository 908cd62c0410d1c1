import { expect } from "vitest";
import { addRow } from "../../../tests/support/rows.ts";
import { randomStream, seedLeads, type SeededLead } from "../../../tests/support/seed.ts";
import type { TestServer } from "../../../tests/support/server.ts";

const start = "2026-01-05T00:00:00.000Z";
const end = "2026-02-10T23:59:59.999Z";

/** Seeds 600 leads of a new user with a history of several stages, and counts them one by one. */
export async function openStats(server: TestServer) {
  const user = await server.subscriber();
  const stages: { id: string; order: number }[] = [];
  /** every stage that each lead was in */
  const visited = new Map<string, Set<string>>();
  const { db } = server.deps;
  for (const [index, name] of ["New", "Talking", "Offer", "Won"].entries()) {
    const row = await addRow(db, "stages", { owner_id: user.userId, name, order: index + 1, keywords: ["x"] });
    stages.push({ id: row.id, order: index + 1 });
  }
  const leads = await seedLeads(
    db,
    user.userId,
    stages.map(({ id }) => id),
    600,
  );
  const random = randomStream(3);
  for (const lead of leads) {
    const been = new Set([lead.stage_id ?? ""]);
    for (let step = 0; step < 3; step += 1) {
      if (random() < 0.5) continue;
      const to = stages[Math.floor(random() * stages.length)]?.id ?? "";
      been.add(to);
      await addRow(db, "stage_history", {
        owner_id: user.userId,
        lead_id: lead.id,
        from_stage_id: null,
        to_stage_id: to,
        reason: "manual",
        epoch: step + 1,
        at: new Date(Date.parse(lead.created_at) + step * 3_600_000).toISOString(),
      });
    }
    visited.set(lead.id, been);
  }
  const inRange = () =>
    leads.filter(
      ({ created_at }) => Date.parse(created_at) >= Date.parse(start) && Date.parse(created_at) <= Date.parse(end),
    );
  const get = async <T>(path: string) => {
    const { status, body } = await server.call<T>("GET", `/api/stats/${path}?start=${start}&end=${end}`, {
      token: user.token,
    });
    expect(status).toBe(200);
    return body;
  };
  const round = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 1000) / 10);
  const furthest = (lead: SeededLead) =>
    Math.max(...[...(visited.get(lead.id) ?? [])].map((id) => stages.find((stage) => stage.id === id)?.order ?? 0));
  return { user, stages, range: { start, end }, inRange, get, round, furthest };
}
