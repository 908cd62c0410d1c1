import { sql } from "kysely";
import * as v from "valibot";
import { Exclusion, ExclusionEnd, ExclusionList, ExclusionsQuery } from "../../domain/exclusion.ts";
import { Id } from "../../domain/schema-parts.ts";
import { UNDO_ACTS_MS } from "../../domain/limits.ts";
import { publishEvents } from "../core/bus.ts";
import { type Caller, type Deps, callingKeyName } from "../core/deps.ts";
import { notFound, refuse, refuseInput } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";
import { tryAgain, type DbOrTx, type Tx } from "../db/index.ts";
import { restoreExcluded, excludeLeads } from "./exclude.ts";
import { eraseExcluded } from "./erase.ts";

const ById = v.strictObject({ id: Id });
const ByTelegramId = v.strictObject({ telegram_user_id: v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/)) });

/** `POST /api/leads/{id}/exclude` and `/api/exclusions`: people of whom nothing is stored. */
export function registerExclusions(route: Route, deps: Deps): void {
  const shared = { gate: "subscribed" } as const;
  route({
    ...shared,
    method: "POST",
    url: "/api/leads/:id/exclude",
    scope: "write",
    id: "excludeLead",
    summary: "Exclude a person: store nothing about them from now on",
    description:
      "Nothing is sent to them from now on. For 30 s the exclusion can be deleted; then everything stored is erased.",
    tag: "Leads",
    params: ById,
    answer: Exclusion,
    // A concurrent change of the lead's tags or fields may lock them in another order.
    handler: ({ caller, params }) =>
      tryAgain(() => deps.db.transaction().execute((tx) => exclude(tx, deps, caller, params.id))),
  });
  route({
    ...shared,
    method: "GET",
    url: "/api/exclusions",
    scope: "read",
    id: "listExclusions",
    summary: "List excluded people, newest first",
    tag: "Exclusions",
    query: ExclusionsQuery,
    answer: ExclusionList,
    handler: ({ caller, query }) => listExclusions(deps, caller.id, query),
  });
  route({
    ...shared,
    method: "DELETE",
    url: "/api/exclusions/:telegram_user_id",
    scope: "write",
    id: "endExclusion",
    summary: "End an exclusion",
    description:
      "Until `undo_until` the lead is restored; later, the person becomes a new lead with their next message.",
    refuses: { 409: ["being_erased"] },
    tag: "Exclusions",
    params: ByTelegramId,
    answer: ExclusionEnd,
    handler: ({ caller, params }) => endExclusion(deps, caller.id, params.telegram_user_id),
  });
}

const exclusionColumns = (at: string) => sql<Exclusion>`e.telegram_user_id, e.name, e.username, e.excluded_at,
  case when e.undo_until > ${at}::timestamptz then e.undo_until end as undo_until,
  case when e.by_key is not null then jsonb_build_object('kind', 'key', 'name', e.by_key) else jsonb_build_object('kind', 'person', 'name',
    (select coalesce(nullif(u.name, ''), a.raw_user_meta_data ->> 'name') from auth.users a left join users u on u.id = a.id
      where a.id = e.owner_id)) end as by`;

async function exclude(tx: Tx, deps: Deps, caller: Caller, leadId: string): Promise<Exclusion> {
  const [ownerId, byKey] = [caller.id, callingKeyName(caller)];
  const at = deps.clock.iso();
  const undoUntil = new Date(Date.parse(at) + UNDO_ACTS_MS).toISOString();
  const [excluded] = await excludeLeads(tx, { ownerId, leadIds: [leadId], at, undoUntil, batchId: null, byKey });
  if (excluded === undefined) throw notFound();
  await deps.bus.publish("exclusion.created", { owner_id: ownerId }, tx);
  await publishExclusion(tx, deps, ownerId, leadId);
  const { rows } = await sql<Exclusion>`select ${exclusionColumns(at)} from exclusions e
    where e.owner_id = ${ownerId}::uuid and e.lead_id = ${leadId}::uuid`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw notFound();
  return row;
}

/** Returns a page of exclusions. @throws ProblemError 422 if the cursor is no longer excluded: an empty page would look like the end */
async function listExclusions(
  { db, clock }: Pick<Deps, "db" | "clock">,
  ownerId: string,
  { before, limit }: ExclusionsQuery,
): Promise<Exclusion[]> {
  let older = sql``;
  if (before !== undefined) {
    const last = await db
      .selectFrom("exclusions")
      .select(["excluded_at", "telegram_user_id"])
      .where("owner_id", "=", ownerId)
      .where("telegram_user_id", "=", before)
      .executeTakeFirst();
    if (last === undefined) throw refuseInput("before", "excluded_no_more", null, "Is not excluded.");
    older = sql`and (e.excluded_at, e.telegram_user_id) < (${last.excluded_at}::timestamptz, ${last.telegram_user_id}::bigint)`;
  }
  const { rows } =
    await sql<Exclusion>`select ${exclusionColumns(clock.iso())} from exclusions e where e.owner_id = ${ownerId}::uuid ${older}
    order by e.excluded_at desc, e.telegram_user_id desc limit ${limit}`.execute(db);
  return rows;
}

async function endExclusion(deps: Deps, ownerId: string, person: string): Promise<ExclusionEnd> {
  const which = sql<boolean>`e.telegram_user_id = ${person}::bigint`;
  const back = await tryAgain(() =>
    deps.db.transaction().execute(async (tx) => {
      const [leadId] = await restoreExcluded(tx, { ownerId, which, at: deps.clock.iso() });
      if (leadId === undefined) return null;
      await deps.bus.publish("outbox.ready", { owner_id: ownerId }, tx);
      await publishExclusion(tx, deps, ownerId, leadId);
      return leadId;
    }),
  );
  if (back !== null) return { lead_id: back };
  // Erases what is still stored first, because the person will be a new lead.
  await eraseExcluded(deps, { which: sql<boolean>`e.owner_id = ${ownerId}::uuid and ${which}` });
  return deps.db.transaction().execute(async (tx) => {
    await requireErased(tx, ownerId, person);
    await tx
      .deleteFrom("exclusions")
      .where("owner_id", "=", ownerId)
      .where("telegram_user_id", "=", person)
      .where("lead_id", "is", null)
      .execute();
    await publishEvents(deps.bus, ownerId, [{ type: "exclusions.changed" }], tx);
    return { lead_id: null };
  });
}

/** Requires that an excluded person is erased. @throws ProblemError 404 if not excluded, 409 while a message to them is being sent */
async function requireErased(db: DbOrTx, ownerId: string, person: string): Promise<void> {
  const row = await db
    .selectFrom("exclusions")
    .select("lead_id")
    .where("owner_id", "=", ownerId)
    .where("telegram_user_id", "=", person)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  if (row.lead_id !== null) throw refuse(409, "being_erased");
}

const publishExclusion = (tx: Tx, { bus }: Pick<Deps, "bus">, ownerId: string, leadId: string) =>
  publishEvents(
    bus,
    ownerId,
    [
      { type: "lead.changed", data: { id: leadId } },
      { type: "leads.changed" },
      { type: "exclusions.changed" },
      // The number of leads with these tags and fields has changed.
      { type: "tags.changed" },
      { type: "fields.changed" },
      { type: "inbox.changed" },
    ],
    tx,
  );
