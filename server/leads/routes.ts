import type { FastifyReply } from "fastify";
import * as v from "valibot";
import { BoardQuery, type LeadFilter } from "../../domain/lead-filter.ts";
import { Board } from "../../domain/board.ts";
import { Id } from "../../domain/schema-parts.ts";
import { LeadAutomation, LeadAutomationRequest } from "../../domain/lead-automation.ts";
import { LeadDetail, LeadPatch, LeadsPage, LeadsQuery, type LeadPatch as LeadPatchType } from "../../domain/lead.ts";
import { NOTES_MAX_CHARS } from "../../domain/limits.ts";
import { publishEvent, publishEvents } from "../core/bus.ts";
import { createConcurrencyLimiter } from "../core/concurrency.ts";
import { type Deps, callingKeyName } from "../core/deps.ts";
import { lockLead } from "../lead-rows/lead.ts";
import { notFound, refuse, refuseInput } from "../core/problem.ts";
import { readRequestKey } from "../core/request-keys.ts";
import { hasScope, requireScope, type Route, disconnectSignal, sendStream } from "../core/routes.ts";
import { versionConflict, readTypedOver } from "../core/versions.ts";
import { untilAborted, type Tx } from "../db/index.ts";
import { holdSends } from "../outbox/entry.ts";
import { changeLeadAutomation, readLeadAutomation } from "./automation.ts";
import { readBoard } from "./board.ts";
import { actorOf, recordLeadEvent } from "./events.ts";
import { isLargePage, listLeads, readLead, streamLargePage } from "./list.ts";
import { moveLead, undoMove } from "./stage-move.ts";

/** How many pages of thousands of leads a process reads at once, one per owner. */
const LARGE_PAGES = { busyWith: "lists", atOnce: 2, mostWaiting: 40, waitMs: 20_000 } as const;

const ById = v.strictObject({ id: Id });

/** `GET /api/leads`, `GET /api/leads/{id}` and `PATCH /api/leads/{id}`. */
export function registerLeads(route: Route, deps: Deps): void {
  const largePages = createConcurrencyLimiter(deps.clock, LARGE_PAGES);
  // A search on each keystroke is cancelled by the next one.
  const readsOf = ({ q, name, username }: LeadFilter, reply: FastifyReply) =>
    q || name || username ? untilAborted(deps.engine, disconnectSignal(reply)) : deps.db;
  route({
    method: "GET",
    url: "/api/leads",
    scope: "read",
    id: "listLeads",
    summary: "List leads, newest first",
    description: "Values of your own fields narrow the list too: `field.<id>=…`.",
    tag: "Leads",
    gate: "subscribed",
    query: LeadsQuery,
    answer: LeadsPage,
    waitsElsewhere: isLargePage,
    handler: async ({ caller, query, reply }) => {
      void reply.type("application/json; charset=utf-8");
      if (!isLargePage(query)) return reply.send(await listLeads(readsOf(query, reply), caller.id, query));
      return sendStream(reply, await largePages.stream(caller.id, () => streamLargePage(deps.db, caller.id, query)));
    },
  });
  route({
    method: "GET",
    url: "/api/board",
    scope: "read",
    id: "readBoard",
    summary: "Read the board: one column per stage",
    description:
      "For each stage: how many leads match, the sum of their value field, and the first leads, newest first. `field.<id>=…` filters by custom fields.",
    tag: "Leads",
    gate: "subscribed",
    query: BoardQuery,
    answer: Board,
    handler: async ({ caller, query, reply }) =>
      reply.type("application/json; charset=utf-8").send(await readBoard(readsOf(query, reply), caller.id, query)),
  });
  route({
    method: "GET",
    url: "/api/leads/:id",
    scope: "read",
    id: "readLead",
    summary: "Read a lead",
    tag: "Leads",
    gate: "subscribed",
    params: ById,
    answer: LeadDetail,
    handler: async ({ caller, params, reply }) => {
      const automation = await readLeadAutomation(deps.db, deps, { ownerId: caller.id, leadId: params.id });
      const lead = await readLead(deps.db, caller.id, params.id, automation);
      if (lead === null) throw notFound();
      return reply.type("application/json; charset=utf-8").send(lead);
    },
  });
  route({
    method: "PATCH",
    url: "/api/leads/:id",
    scope: "write",
    id: "changeLead",
    summary: "Change a lead's notes, draft or stage",
    description:
      "One of them per call. add_note adds below the existing notes. A move to another stage starts its follow-ups. With If-Match, notes and a draft are changed only if they have not changed since.",
    refuses: { 412: ["changed_meanwhile"] },
    takesMatch: true,
    tag: "Leads",
    gate: "subscribed",
    params: ById,
    body: LeadPatch,
    handler: async ({ caller, params, body, request }) => {
      await changeLead(
        deps,
        { ownerId: caller.id, leadId: params.id, byKey: callingKeyName(caller) },
        body,
        readTypedOver(request),
      );
    },
  });
  const automation = { tag: "Leads", gate: "subscribed", url: "/api/leads/:id/automation", params: ById } as const;
  route({
    ...automation,
    method: "GET",
    scope: "read",
    id: "readLeadAutomation",
    summary: "Read what automation does next for a lead",
    description: "When, and who must act.",
    answer: LeadAutomation,
    handler: ({ caller, params }) => readLeadAutomation(deps.db, deps, { ownerId: caller.id, leadId: params.id }),
  });
  route({
    ...automation,
    method: "POST",
    scope: ["write", "send"],
    id: "changeLeadAutomation",
    summary: "Skip a lead's next follow-up, hold the lead, or resume it",
    description:
      "`skip` needs the scope `write`, like `hold`; `resume` needs `send`, like a hold that ends earlier than the current one.",
    refuses: { 409: ["no_step_left", "being_sent"] },
    takesKey: true,
    body: LeadAutomationRequest,
    answer: LeadAutomation,
    handler: ({ caller, params, body, request }) => {
      requireScope(caller, body.action === "resume" ? "send" : "write");
      return changeLeadAutomation(
        deps,
        { ownerId: caller.id, leadId: params.id, byKey: callingKeyName(caller), mayEndHolds: hasScope(caller, "send") },
        body,
        readRequestKey(request),
      );
    },
  });
  route({
    method: "POST",
    url: "/api/leads/:id/stage/undo",
    scope: "write",
    id: "undoStageChange",
    summary: "Undo a manual stage change, within a minute",
    refuses: { 409: ["undo_too_late"] },
    tag: "Leads",
    gate: "subscribed",
    params: ById,
    handler: async ({ caller, params }) => {
      await undoStage(deps, caller.id, params.id);
    },
  });
}

async function undoStage(deps: Deps, ownerId: string, leadId: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await holdSends(tx, { ownerId, leadId });
    await lockLead(tx, { ownerId, leadId });
    if (!(await undoMove(tx, { ownerId, leadId, at: deps.clock.iso() })))
      throw refuse(409, "undo_too_late", { reason: "move" });
    await publishMove(deps, ownerId, leadId, tx);
  });
}

/** A manual move and its undo may change which leads wait for a reply. */
const publishMove = ({ bus }: Deps, ownerId: string, leadId: string, tx: Tx) =>
  publishEvents(bus, ownerId, [{ type: "lead.changed", data: { id: leadId } }, { type: "inbox.changed" }], tx);

async function changeLead(deps: Deps, ref: OwnedRef, patch: LeadPatchType, isTypedOver: TypedOver): Promise<void> {
  const { ownerId, leadId, byKey } = ref;
  if ("notes" in patch)
    return changeNotes(deps, ref, (notes) => {
      if (notes !== patch.notes && !isTypedOver(notes)) throw versionConflict();
      return patch.notes;
    });
  if ("add_note" in patch) return changeNotes(deps, ref, (notes) => withNote(notes, patch.add_note));
  if ("draft" in patch) return keepDraft(deps, ref, patch.draft === "" ? null : patch.draft, isTypedOver);
  await deps.db.transaction().execute(async (tx) => {
    const lead = await tx
      .selectFrom("leads")
      .select("id")
      .where("id", "=", leadId)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    if (lead === undefined) throw notFound();
    const stage = await tx
      .selectFrom("stages")
      .select("id")
      .where("id", "=", patch.stage_id)
      .where("owner_id", "=", ownerId)
      .forKeyShare()
      .executeTakeFirst();
    if (stage === undefined) throw refuseInput("stage_id", "stage_gone_reload", null, "Unknown stage.");
    const isMoved = await moveLead(tx, {
      ownerId,
      leadId,
      toStageId: stage.id,
      at: deps.clock.iso(),
      by: { reason: "manual", key: byKey },
    });
    if (isMoved) await publishMove(deps, ownerId, leadId, tx);
  });
}

type OwnedRef = { ownerId: string; leadId: string; byKey: string | null };
type TypedOver = ReturnType<typeof readTypedOver>;

/** The notes with one more note appended. @throws ProblemError 422 when they are too long */
function withNote(notes: string | null, note: string): string {
  const all = notes === null || notes === "" ? note : `${notes}\n${note}`;
  if (all.length <= NOTES_MAX_CHARS) return all;
  throw refuseInput("add_note", "all_notes_too_long", { limit: NOTES_MAX_CHARS }, "Too long.");
}

async function changeNotes(
  deps: Deps,
  { ownerId, leadId, byKey }: OwnedRef,
  edit: (notes: string | null) => string | null,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const before = await lockLead(tx, { ownerId, leadId });
    const notes = edit(before.notes);
    if (before.notes === notes) return;
    await tx.updateTable("leads").set({ notes }).where("id", "=", leadId).execute();
    await recordLeadEvent(tx, { ownerId, leadId, type: "note_changed", ...actorOf(byKey), at: deps.clock.iso() });
    await publishEvent(deps.bus, ownerId, "lead.changed", { id: leadId }, tx);
  });
}

/**
 * Stores the unsent draft of the composer. The user's drafts change with every pause in typing and publish no event; a draft from an API
 * key must appear in the open conversation. Overwriting a draft that was cleared in the meantime loses nothing.
 */
async function keepDraft(
  deps: Deps,
  { ownerId, leadId, byKey }: OwnedRef,
  draft: string | null,
  isTypedOver: TypedOver,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { draft: stored } = await lockLead(tx, { ownerId, leadId });
    if (stored !== null && stored !== draft && !isTypedOver(stored)) throw versionConflict();
    await tx.updateTable("leads").set({ draft }).where("id", "=", leadId).execute();
    if (byKey !== null) await publishEvent(deps.bus, ownerId, "lead.changed", { id: leadId }, tx);
  });
}
