import type { Exclusion } from "../../domain/exclusion.ts";
import { createExclusions } from "../../src/machines/exclusions/exclusions.machine.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const exclusionsMachine = createExclusions(fakePage());

export const ada: Exclusion = {
  telegram_user_id: "5001",
  name: "Ada Lovelace",
  username: "ada",
  excluded_at: "2026-03-05T10:00:00Z",
  undo_until: null,
};

export const exclusionsModel: WalkedModel = {
  events: [
    { type: "person.restore", telegramUserId: "5001" },
    { type: "xstate.done.actor.listExclusions", output: [ada] },
    { type: "xstate.error.actor.listExclusions", error: new Error("offline") },
    { type: "xstate.done.actor.restorePerson", output: null },
    { type: "xstate.error.actor.restorePerson", error: new Error("offline") },
  ],
  project: ({ value, context }) => [value, context.people.length, context.problem !== null],
  provide: overPending(exclusionsMachine),
};
