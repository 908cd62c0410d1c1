import * as v from "valibot";
import { Id } from "../../domain/ids.ts";
import { LeadDetail, LeadPatch, LeadsPage, LeadsQuery, type LeadPatch as LeadPatchType } from "../../domain/lead.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { invalid, notFound } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";
import { listLeads, readLead } from "./list.ts";
import { moveLead } from "./stage-move.ts";

const ById = v.strictObject({ id: Id });

/** `GET /api/leads`, `GET /api/leads/{id}` and `PATCH /api/leads/{id}`. */
export function registerLeads(route: Route, deps: Deps): void {
  route({
    method: "GET",
    url: "/api/leads",
    summary: "List leads, newest first",
    tag: "Leads",
    gate: "subscribed",
    query: LeadsQuery,
    answer: LeadsPage,
    handler: async ({ caller, query, reply }) => {
      const page = await listLeads(deps.db, caller.id, query);
      return reply.type("application/json; charset=utf-8").send(page);
    },
  });
  route({
    method: "GET",
    url: "/api/leads/:id",
    summary: "One lead",
    tag: "Leads",
    gate: "subscribed",
    params: ById,
    answer: LeadDetail,
    handler: async ({ caller, params, reply }) => {
      const lead = await readLead(deps.db, caller.id, params.id);
      if (lead === null) throw notFound();
      return reply.type("application/json; charset=utf-8").send(lead);
    },
  });
  route({
    method: "PATCH",
    url: "/api/leads/:id",
    summary: "Change a lead's notes or stage",
    tag: "Leads",
    gate: "subscribed",
    params: ById,
    body: LeadPatch,
    handler: async ({ caller, params, body }) => {
      await changeLead(deps, caller.id, params.id, body);
    },
  });
}

async function changeLead(deps: Deps, ownerId: string, leadId: string, patch: LeadPatchType): Promise<void> {
  if ("notes" in patch) {
    const changed = await deps.db
      .updateTable("leads")
      .set({ notes: patch.notes })
      .where("id", "=", leadId)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw notFound();
    await publishEvent(deps.bus, ownerId, "lead.changed", { id: leadId });
    return;
  }
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
    if (stage === undefined)
      throw invalid("That stage does not exist any more. Reload the list and choose another.", {
        stage_id: "Unknown stage.",
      });
    await moveLead(tx, { ownerId, leadId, toStageId: stage.id, at: deps.clock.iso(), by: { reason: "manual" } });
    await publishEvent(deps.bus, ownerId, "lead.changed", { id: leadId }, tx);
  });
}
