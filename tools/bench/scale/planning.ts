import { sql } from "kysely";
import { createBus } from "../../../server/core/bus.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { openLanguages } from "../../../server/core/languages.ts";
import type { OpenDatabase } from "../../../server/db/index.ts";
import { listOverdue } from "../../../server/followups/overdue.ts";
import { planFollowups } from "../../../server/followups/plan.ts";
import { planReminders } from "../../../server/reminders/plan.ts";
import { median } from "../measure.ts";
import { atMost, type Figure, type Topic } from "./topic.ts";
import { writeOwners } from "./stored.ts";

const OWNERS = 50;
const DUE = 1_000;
const RUNS = 7;

/** The cost of planning with a thousand due leads among a million, and of the list of overdue leads. */
export const planning: Topic = {
  name: "planning",
  async measure({ database, leads, print }) {
    print(`writing ${leads} leads with future steps`);
    const owners = await writeOwners(database, { owners: OWNERS, leads, prefix: "planning" });
    const { db } = database;
    const bus = await createBus(db, database.engine, () => {});
    const deps = { db, bus, clock: systemClock, languages: openLanguages() };
    await sql`vacuum analyze leads, lead_due, outbox, followups`.execute(db);
    const figures: Figure[] = [];
    const times = [];
    for (let run = 0; run < RUNS; run += 1) {
      await makeDue(database, owners);
      times.push(
        await timedOnce(async () => {
          const planned = await planFollowups(deps);
          if (planned !== DUE) throw new Error(`${planned} messages were planned instead of ${DUE}`);
        }),
      );
      await sql`update outbox set state = 'sent', settled_at = now() where state = 'pending'`.execute(db);
    }
    figures.push(atMost(`plan ${DUE} of ${leads} leads, p50 of ${RUNS}`, median(times), 50, "ms"));
    figures.push(atMost("plan when nothing is due", await timedOnce(() => planFollowups(deps)), 50, "ms"));
    figures.push(atMost("plan reminders when no lead is stuck", await timedOnce(() => planReminders(deps)), 50, "ms"));
    figures.push(atMost("list overdue leads", await timedOnce(() => listOverdue(deps, owners[0] ?? "")), 50, "ms"));
    return figures;
  },
};

/** Makes the steps of a thousand leads due this minute. */
const makeDue = ({ db }: OpenDatabase, owners: readonly string[]) =>
  sql`update leads set stage_entered_at = now() - interval '24 hours' - interval '1 minute', last_inbound_at = null,
    stage_entry_epoch = stage_entry_epoch + 1
    where id in (select l.id from unnest(${owners}::uuid[]) o(id) cross join lateral (
      select id from leads where owner_id = o.id order by created_at desc, id desc limit ${DUE / OWNERS}) l)`.execute(
    db,
  );

async function timedOnce(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
