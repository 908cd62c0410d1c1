import { leadsMachine } from "../../src/machines/leads/index.ts";
import { leadsUpTo, twoStages } from "../support/leads.ts";
import type { WalkedModel } from "../support/walk-suite.ts";

const fullPage = { leads: leadsUpTo(50), total: 120 };
const board = { stages: twoStages, stepsByStage: { "stage-1": 2 } };

export const leadsModel: WalkedModel = {
  events: [
    { type: "filter.change", change: { name: "ada" } },
    { type: "filter.change", change: { from: "13/45/2026" } },
    { type: "filter.clear", fields: ["name"] },
    { type: "filter.clear", fields: ["from", "to"] },
    { type: "xstate.done.actor.fetchBoard", output: { board, page: fullPage } },
    { type: "xstate.error.actor.fetchBoard", error: new Error("offline") },
    { type: "xstate.done.actor.fetchPage", output: fullPage },
    { type: "xstate.error.actor.fetchPage", error: new Error("offline") },
    { type: "xstate.done.actor.countLeads", output: 122 },
    { type: "xstate.error.actor.countLeads", error: new Error("offline") },
    { type: "xstate.error.actor.watchLeads", error: new Error("no stream") },
  ],
  delays: { arrivalsPause: 2_000 },
  project: ({ value, context }) => [
    value,
    context.page > 1,
    context.board !== null,
    context.applied.name,
    context.draft.name,
    context.draft.from,
    context.areDatesRefused,
  ],
  // The two regions share no event: each is walked while the other rests.
  allow: (snapshot, { type }) => {
    const isArrival = type === "lead.changed" || /arrivalsPause|countLeads|watchLeads/.test(type);
    const { page, draft, applied } = snapshot.context;
    if (isArrival) return snapshot.matches({ list: "ready" }) && page === 1 && draft === applied;
    // A half-typed date matters to the two ways of applying alone.
    if (draft.from !== "") return type === "filters.apply" || type === "filter.clear" || type === "filters.clear";
    return snapshot.matches({ arrivals: "quiet" });
  },
  provide: ({ service }) =>
    leadsMachine.provide({
      actors: {
        fetchBoard: service("fetchBoard"),
        fetchPage: service("fetchPage"),
        countLeads: service("countLeads"),
        watchLeads: service("watchLeads") as never,
      },
    }),
};
