import { dashboardMachine } from "../../src/machines/dashboard/index.ts";
import { type WalkedModel, overPending } from "../support/walk-suite.ts";

const fail = new Error("503");

export const dashboardModel: WalkedModel = {
  provide: overPending(dashboardMachine, [
    "fetchLastLead",
    "countLeads",
    "countStages",
    "countAccounts",
    "fetchStatus",
  ]),
  events: [
    { type: "xstate.done.actor.fetchLastLead", output: "2026-11-21T11:57:00Z" },
    { type: "xstate.error.actor.fetchLastLead", error: fail },
    { type: "xstate.done.actor.countLeads", output: 1234 },
    { type: "xstate.error.actor.countLeads", error: fail },
    { type: "xstate.done.actor.countStages", output: 5 },
    { type: "xstate.error.actor.countStages", error: fail },
    { type: "xstate.done.actor.countAccounts", output: 1 },
    { type: "xstate.error.actor.countAccounts", error: fail },
    { type: "xstate.done.actor.fetchStatus", output: "active" },
    { type: "xstate.error.actor.fetchStatus", error: fail },
  ],
  project: ({ value }) => value,
  inputs: [
    { userId: "ada", status: null },
    { userId: "ada", status: "trialing" },
  ],
};
