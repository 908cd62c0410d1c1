import type { FastifyReply, FastifyRequest } from "fastify";
import * as v from "valibot";
import {
  Followup,
  FollowupCreate,
  FollowupList,
  FollowupPatch,
  OverdueConfirm,
  OverdueFollowups,
  OverduePlanned,
  FollowupResults,
  FollowupResultsQuery,
} from "../../domain/followup.ts";
import { Id } from "../../domain/schema-parts.ts";
import { type Caller, type Deps, callingKeyName } from "../core/deps.ts";
import { keyedRequestOf, readRequestKey } from "../core/request-keys.ts";
import { parse, type Route } from "../core/routes.ts";
import { createVersions } from "../core/versions.ts";
import { createMediaLinks } from "../media/signed-url.ts";
import { readForm } from "../media/multipart.ts";
import { checkMedia } from "../media/store.ts";
import { createManualSend } from "./manual-send.ts";
import { confirmOnce, listOverdue } from "./overdue.ts";
import { deleteFollowup, restoreFollowup } from "./deletion.ts";
import { followupResults } from "./results.ts";
import { addFollowup, changeFollowup, listFollowups, type FollowupRow } from "./repository.ts";

const orderOf = (caller: Caller, request: FastifyRequest) => ({
  ownerId: caller.id,
  key: readRequestKey(request),
  byKey: callingKeyName(caller),
});
const ById = v.strictObject({ id: Id });

/** `/api/followups`: the steps of each stage, manual sends, and confirming overdue steps. */
export function registerFollowups(route: Route, deps: Deps): void {
  const links = createMediaLinks(deps.config, deps.clock);
  const sendByHand = createManualSend(deps);
  const shared = { tag: "Follow-ups", gate: "subscribed" } as const;
  const answer = ({ media_id: mediaId, extension, ...row }: FollowupRow) => ({
    ...row,
    media_type: extension,
    media_url: mediaId === null ? null : links.to(mediaId),
    media_base64: null,
  });
  const versionsOf = (request: FastifyRequest, reply: FastifyReply) =>
    createVersions<FollowupRow[]>(request, reply, (rows) => rows.map(answer));

  route({
    ...shared,
    method: "GET",
    url: "/api/followups",
    scope: "read",
    id: "listFollowups",
    summary: "List follow-ups",
    answer: FollowupList,
    handler: async ({ caller, request, reply }) => {
      const rows = await listFollowups(deps.db, caller.id);
      versionsOf(request, reply).setETag(rows);
      return rows.map(answer);
    },
  });
  route({
    ...shared,
    method: "GET",
    url: "/api/followups/results",
    scope: "read",
    id: "readFollowupResults",
    summary: "Read each follow-up's results in a period: sent, replied, moved on, opted out",
    query: FollowupResultsQuery,
    answer: FollowupResults,
    handler: ({ caller, query }) => followupResults(deps, caller.id, query),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/followups",
    scope: "write",
    id: "addFollowup",
    summary: "Add a follow-up, optionally with a picture or video",
    form: { fields: FollowupCreate, file: { name: "media", description: "A picture or video, 10 MB at most." } },
    refuses: { 409: ["duplicate_order", "too_many_followups", "media_full"] },
    takesKey: true,
    takesVersion: true,
    consumes: "multipart",
    answer: Followup,
    handler: async ({ caller, request, reply }) => {
      const { fields, file } = await readForm(request);
      const input = parse(FollowupCreate, fields);
      const checked = await checkMedia(file);
      const keyedRequest = keyedRequestOf(deps, caller, request, "new followup", JSON.stringify(input), file ?? "");
      return answer(await addFollowup(deps, { ...input, file: checked }, keyedRequest, versionsOf(request, reply)));
    },
  });
  route({
    ...shared,
    method: "PATCH",
    url: "/api/followups/:id",
    scope: "write",
    id: "changeFollowup",
    summary: "Change a follow-up",
    refuses: { 409: ["duplicate_order"] },
    takesVersion: true,
    params: ById,
    body: FollowupPatch,
    answer: Followup,
    handler: async ({ caller, params, body, request, reply }) =>
      answer(await changeFollowup(deps, { ownerId: caller.id, id: params.id }, body, versionsOf(request, reply))),
  });
  route({
    ...shared,
    method: "DELETE",
    url: "/api/followups/:id",
    scope: "write",
    id: "deleteFollowup",
    summary: "Delete a follow-up",
    description: "The later ones move up. For a minute it can be restored.",
    params: ById,
    handler: ({ caller, params }) => deleteFollowup(deps.db, caller.id, params.id, deps.clock.iso()),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/followups/:id/restore",
    scope: "write",
    id: "restoreFollowup",
    summary: "Restore a follow-up deleted within the last minute, to its former place",
    refuses: { 409: ["too_many_followups"] },
    params: ById,
    answer: Followup,
    handler: async ({ caller, params }) =>
      answer(await restoreFollowup(deps.db, caller.id, params.id, deps.clock.now())),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/followups/send/:id",
    scope: "send",
    id: "sendNextFollowup",
    summary: "Send a lead's next follow-up now",
    description: "Responds once Telegram has accepted the message.",
    refuses: {
      409: ["not_connected", "no_step_left"],
      422: ["account_limited", "message_refused", "unreachable"],
      429: ["account_waits"],
      503: ["outcome_unknown", "not_sent"],
    },
    takesKey: true,
    params: ById,
    handler: async ({ caller, params, request }) => {
      await sendByHand({ ...orderOf(caller, request), leadId: params.id });
    },
  });
  route({
    ...shared,
    method: "GET",
    url: "/api/followups/overdue",
    scope: "read",
    id: "listOverdueFollowups",
    summary: "List leads whose follow-up was overdue when automation was switched on",
    answer: OverdueFollowups,
    handler: ({ caller }) => listOverdue(deps, caller.id),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/followups/overdue/confirm",
    scope: "send",
    id: "confirmOverdueFollowups",
    summary: "Approve overdue follow-ups, all or those of the given leads",
    body: OverdueConfirm,
    answer: OverduePlanned,
    takesKey: true,
    handler: ({ caller, body, request }) =>
      confirmOnce(deps, { ...orderOf(caller, request), leadIds: body.lead_ids ?? null }),
  });
}
