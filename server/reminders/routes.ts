import * as v from "valibot";
import { reasonFields } from "../core/languages.ts";
import { Id } from "../../domain/schema-parts.ts";
import { Reminder, ReminderCreate, ReminderList, ReminderPatch } from "../../domain/reminder.ts";
import type { Deps } from "../core/deps.ts";
import { refuse } from "../core/problem.ts";
import { keyedRequestOf } from "../core/request-keys.ts";
import type { Route } from "../core/routes.ts";
import {
  addReminder,
  deleteReminder,
  dropReminder,
  listReminders,
  readReminder,
  restoreReminder,
  switchReminder,
} from "./repository.ts";
import { awaitChannelRefusal } from "./verify.ts";

const ById = v.strictObject({ id: Id });

/** `/api/reminders`: rules that notify a channel about leads stuck in a stage. */
export function registerReminders(route: Route, deps: Deps): void {
  const shared = { tag: "Reminders", gate: "subscribed" } as const;
  route({
    ...shared,
    method: "GET",
    url: "/api/reminders",
    scope: "read",
    id: "listReminders",
    summary: "List reminder rules",
    answer: ReminderList,
    handler: ({ caller }) => listReminders(deps.db, caller.id),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/reminders",
    scope: "write",
    id: "addReminder",
    summary: "Add a reminder rule; its channel is checked while an account is connected",
    refuses: { 409: ["too_many_reminders"], 422: ["channel_refused"] },
    takesKey: true,
    body: ReminderCreate,
    answer: Reminder,
    handler: async ({ caller, body, request }) => {
      const keyedRequest = keyedRequestOf(deps, caller, request, "reminder", JSON.stringify(body));
      const { id, isNew } = await addReminder(deps.db, body, keyedRequest);
      const refusal = await awaitChannelRefusal(deps, caller.id, id);
      if (refusal !== null && isNew) {
        await dropReminder(deps, id, keyedRequest);
        const why = reasonFields("verdict", refusal);
        throw refuse(
          422,
          "channel_refused",
          { channel: body.channel_id, ...why },
          { fields: { channel_id: why.verdict } },
        );
      }
      return readReminder(deps.db, caller.id, id);
    },
  });
  route({
    ...shared,
    method: "PATCH",
    url: "/api/reminders/:id",
    scope: "write",
    id: "switchReminder",
    summary: "Switch a reminder rule on or off",
    params: ById,
    body: ReminderPatch,
    answer: Reminder,
    handler: async ({ caller, params, body }) => {
      await switchReminder(deps, { ownerId: caller.id, id: params.id, isEnabled: body.is_enabled });
      if (body.is_enabled) await deps.bus.publish("reminder.saved", { owner_id: caller.id, reminder_id: params.id });
      return readReminder(deps.db, caller.id, params.id);
    },
  });
  route({
    ...shared,
    method: "DELETE",
    url: "/api/reminders/:id",
    scope: "write",
    id: "deleteReminder",
    summary: "Delete a reminder rule; for a minute it can be restored",
    params: ById,
    handler: ({ caller, params }) => deleteReminder(deps.db, caller.id, params.id, deps.clock.iso()),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/reminders/:id/restore",
    scope: "write",
    id: "restoreReminder",
    summary: "Restore a reminder rule deleted within the last minute",
    refuses: { 409: ["too_many_reminders"] },
    params: ById,
    answer: Reminder,
    handler: async ({ caller, params }) => {
      const restored = await restoreReminder(deps.db, caller.id, params.id, deps.clock.now());
      await deps.bus.publish("reminder.saved", { owner_id: caller.id, reminder_id: restored.id });
      return restored;
    },
  });
}
