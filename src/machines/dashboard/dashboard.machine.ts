import { type SnapshotFrom, assign, setup } from "xstate";
import { ACCESS_STATUSES } from "../../../domain/access.ts";
import { placeholderActors } from "./dashboard.actors.ts";

type DashboardContext = {
  userId: string;
  status: string | null;
  /** `created_at` of the newest lead; null for no lead, undefined while not known. */
  lastLeadAt: string | null | undefined;
  leads: number | undefined;
  stages: number | undefined;
  accounts: number | undefined;
};

type Failure = { what: string; error: unknown };

/** The numbers of the dashboard, each read on its own: one that fails counts as 0 or none and delays no other. */
export const dashboardMachine = setup({
  types: {
    input: {} as { userId: string; status: string | null },
    context: {} as DashboardContext,
  },
  actors: placeholderActors,
  actions: {
    storeLastLead: assign((_, params: { at: string | null }) => ({ lastLeadAt: params.at })),
    storeLeads: assign((_, params: { count: number }) => ({ leads: params.count })),
    storeStages: assign((_, params: { count: number }) => ({ stages: params.count })),
    storeAccounts: assign((_, params: { count: number }) => ({ accounts: params.count })),
    storeStatus: assign((_, params: { status: string | null }) => ({ status: params.status })),
    reportFailure: (_args, _params: Failure) => {},
  },
  guards: { isActive: ({ context }) => ACCESS_STATUSES.includes(context.status ?? "") },
}).createMachine({
  id: "dashboard",
  context: ({ input }) => ({
    userId: input.userId,
    status: input.status,
    lastLeadAt: undefined,
    leads: undefined,
    stages: undefined,
    accounts: undefined,
  }),
  type: "parallel",
  states: {
    lastLead: {
      initial: "fetching",
      states: {
        fetching: {
          invoke: {
            id: "fetchLastLead",
            src: "fetchLastLead",
            input: ({ context }) => ({ userId: context.userId }),
            onDone: {
              target: "known",
              actions: { type: "storeLastLead", params: ({ event }) => ({ at: event.output }) },
            },
            onError: {
              target: "known",
              actions: [
                { type: "storeLastLead", params: { at: null } },
                {
                  type: "reportFailure",
                  params: ({ event }) => ({ what: "the last lead could not be read", error: event.error }),
                },
              ],
            },
          },
        },
        known: {},
      },
    },
    leads: {
      initial: "counting",
      states: {
        counting: {
          invoke: {
            id: "countLeads",
            src: "countLeads",
            input: ({ context }) => ({ userId: context.userId }),
            onDone: {
              target: "known",
              actions: { type: "storeLeads", params: ({ event }) => ({ count: event.output }) },
            },
            onError: {
              target: "known",
              actions: [
                { type: "storeLeads", params: { count: 0 } },
                {
                  type: "reportFailure",
                  params: ({ event }) => ({ what: "the leads could not be counted", error: event.error }),
                },
              ],
            },
          },
        },
        known: {},
      },
    },
    stages: {
      initial: "counting",
      states: {
        counting: {
          invoke: {
            id: "countStages",
            src: "countStages",
            input: ({ context }) => ({ userId: context.userId }),
            onDone: {
              target: "known",
              actions: { type: "storeStages", params: ({ event }) => ({ count: event.output }) },
            },
            onError: {
              target: "known",
              actions: [
                { type: "storeStages", params: { count: 0 } },
                {
                  type: "reportFailure",
                  params: ({ event }) => ({ what: "the stages could not be counted", error: event.error }),
                },
              ],
            },
          },
        },
        known: {},
      },
    },
    accounts: {
      initial: "counting",
      states: {
        counting: {
          invoke: {
            id: "countAccounts",
            src: "countAccounts",
            input: ({ context }) => ({ userId: context.userId }),
            onDone: {
              target: "known",
              actions: { type: "storeAccounts", params: ({ event }) => ({ count: event.output }) },
            },
            onError: {
              target: "known",
              actions: [
                { type: "storeAccounts", params: { count: 0 } },
                {
                  type: "reportFailure",
                  params: ({ event }) => ({ what: "the Telegram accounts could not be counted", error: event.error }),
                },
              ],
            },
          },
        },
        known: {},
      },
    },
    status: {
      initial: "given",
      states: {
        given: { always: [{ guard: "isActive", target: "known" }, { target: "fetching" }] },
        fetching: {
          invoke: {
            id: "fetchStatus",
            src: "fetchStatus",
            input: ({ context }) => ({ userId: context.userId }),
            onDone: {
              target: "known",
              actions: { type: "storeStatus", params: ({ event }) => ({ status: event.output }) },
            },
            onError: {
              target: "known",
              actions: [
                { type: "storeStatus", params: { status: null } },
                {
                  type: "reportFailure",
                  params: ({ event }) => ({ what: "the subscription's status could not be read", error: event.error }),
                },
              ],
            },
          },
        },
        known: {},
      },
    },
  },
});

export type DashboardSnapshot = SnapshotFrom<typeof dashboardMachine>;
