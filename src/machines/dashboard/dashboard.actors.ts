import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";

export type DashboardDeps = {
  data: {
    fetchNewestStatus: (userId: string, signal: AbortSignal) => Promise<string | null>;
    countLeadsSince: (ownerId: string, since: string, signal: AbortSignal) => Promise<number>;
    countStages: (ownerId: string, signal: AbortSignal) => Promise<number>;
    countTelegramSessions: (userId: string, signal: AbortSignal) => Promise<number>;
    fetchLastLeadTime: (ownerId: string, signal: AbortSignal) => Promise<string | null>;
  };
  logger: { warn: (what: string, error: unknown) => void };
  now: () => number;
};

type Owner = { userId: string };

const WINDOW_MS = 7 * 86_400_000;

export const placeholderActors = {
  fetchLastLead: notProvided<string | null, Owner>("fetchLastLead"),
  countLeads: notProvided<number, Owner>("countLeads"),
  countStages: notProvided<number, Owner>("countStages"),
  countAccounts: notProvided<number, Owner>("countAccounts"),
  fetchStatus: notProvided<string | null, Owner>("fetchStatus"),
};

export const createDashboardActors = ({ data, now }: DashboardDeps) => ({
  fetchLastLead: fromPromise<string | null, Owner>(({ input, signal }) => data.fetchLastLeadTime(input.userId, signal)),
  countLeads: fromPromise<number, Owner>(({ input, signal }) =>
    data.countLeadsSince(input.userId, new Date(now() - WINDOW_MS).toISOString(), signal),
  ),
  countStages: fromPromise<number, Owner>(({ input, signal }) => data.countStages(input.userId, signal)),
  countAccounts: fromPromise<number, Owner>(({ input, signal }) => data.countTelegramSessions(input.userId, signal)),
  fetchStatus: fromPromise<string | null, Owner>(({ input, signal }) => data.fetchNewestStatus(input.userId, signal)),
});
