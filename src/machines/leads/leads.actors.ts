import { type EventObject, fromCallback, fromPromise } from "xstate";
import type { Lead, LeadsPage } from "../../../domain/lead.ts";
import type { Stage } from "../../../domain/stage.ts";
import type { LeadRowDeps, NotesDraft, NotesDrafts, Step, StepsByStage } from "../lead-row/index.ts";
import { stepsOf } from "../lead-row/lead-row.steps.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { ListPlace } from "./leads.address.ts";
import type { LeadsRequest } from "./leads.filters.ts";

/** What the list must know besides leads: the stages in their order, and what the follow-ups of each say. */
export type Board = { stages: Stage[]; steps: StepsByStage };
/** One page, and the notes of its leads that have not reached the server. */
export type DraftedPage = LeadsPage & { drafts: Readonly<Record<string, NotesDraft>> };
export type BoardPage = { board: Board; page: DraftedPage };

/** Which leads changed: those of `ids`, or any where the news did not say. */
export type Changes = { ids: readonly string[]; isAny: boolean };
export type NewsRequest = {
  /** What the list shows of the changed leads. */
  ids: readonly string[];
  isAny: boolean;
  /** Some of the changed leads are not on the page: they may be new. */
  hasStrangers: boolean;
  /** The page as it is shown. */
  page: LeadsRequest;
  /** The least that tells how many match. */
  count: LeadsRequest;
  /** Which reading of the list the news are about. */
  reading: number;
};
/** `total` is null where nothing can have come, `board` where it was not asked for. */
export type News = { leads: Lead[]; total: number | null; board: Board | null; reading: number };

export type LeadsGateway = {
  /** One page of leads, newest first, with the number of all that match. */
  list(request: LeadsRequest, signal: AbortSignal): Promise<LeadsPage>;
  /** One lead; null where the lead or the call is unknown. */
  read(input: { leadId: string }, signal: AbortSignal): Promise<Lead | null>;
  /** Stages in their order. */
  listStages(signal: AbortSignal): Promise<Stage[]>;
  listFollowups(signal: AbortSignal): Promise<readonly Step[]>;
};

export type LeadsDeps = {
  leads: LeadsGateway;
  row: LeadRowDeps;
  drafts: NotesDrafts;
  events: { subscribe(type: "lead.changed" | "leads.changed", listener: (data: unknown) => void): () => void };
  /** The list's part of the page's address. */
  address: {
    read(): ListPlace;
    /** Another place in the history. */
    write(place: ListPlace): void;
    /** Instead of the place that the person is at. */
    correct(place: ListPlace): void;
    subscribe(listener: () => void): () => void;
  };
  logger: { warn(what: string, error: unknown): void };
};

/** From so many changed leads on, the page is read instead of each of them. */
const FEW = 4;

export const placeholderActors = {
  fetchBoard: notProvided<BoardPage, LeadsRequest>("fetchBoard"),
  fetchPage: notProvided<DraftedPage, LeadsRequest>("fetchPage"),
  readNews: notProvided<News, NewsRequest>("readNews"),
  watchLeads: fromCallback<EventObject>(() => {
    throw new Error("watchLeads must be provided");
  }),
  watchAddress: fromCallback<EventObject>(() => {
    throw new Error("watchAddress must be provided");
  }),
};

export function createLeadsActors({ leads, drafts, events, address }: LeadsDeps) {
  const withDrafts = (page: LeadsPage): DraftedPage => ({
    ...page,
    drafts: Object.fromEntries(
      page.leads.flatMap(({ id, notes }) => {
        const draft = drafts.read(id);
        return draft === null || draft.notes === (notes ?? "") ? [] : [[id, draft]];
      }),
    ),
  });
  return {
    fetchBoard: fromPromise<BoardPage, LeadsRequest>(async ({ input, signal }) => {
      const [page, board] = await Promise.all([leads.list(input, signal), readBoard(leads, signal)]);
      return { page: withDrafts(page), board };
    }),
    fetchPage: fromPromise<DraftedPage, LeadsRequest>(async ({ input, signal }) =>
      withDrafts(await leads.list(input, signal)),
    ),
    readNews: fromPromise<News, NewsRequest>(({ input, signal }) => readNews(leads, input, signal)),
    watchLeads: fromCallback<EventObject>(({ sendBack }) => {
      // Many at once come without names.
      const leave = (["lead.changed", "leads.changed"] as const).map((type) =>
        events.subscribe(type, (data) => sendBack({ type: "lead.changed", id: idOf(data) })),
      );
      return () => leave.forEach((end) => end());
    }),
    watchAddress: fromCallback<EventObject>(({ sendBack }) =>
      address.subscribe(() => sendBack({ type: "address.changed", place: address.read() })),
    ),
  };
}

const idOf = (data: unknown): string | null => {
  const id = typeof data === "object" && data !== null && "id" in data ? data.id : null;
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
};

/**
 * A few leads are read one by one, many or unanswered ones by the page's own query: at most six calls. Where anything may
 * have changed, as when the page comes back, the stages and their follow-ups are read as well.
 */
async function readNews(
  leads: LeadsGateway,
  { ids, isAny, hasStrangers, page, count, reading }: NewsRequest,
  signal: AbortSignal,
): Promise<News> {
  const isFew = !isAny && ids.length <= FEW;
  const found = isFew ? await Promise.all(ids.map((leadId) => leads.read({ leadId }, signal))) : [null];
  if (!found.includes(null)) {
    const total = hasStrangers ? (await leads.list(count, signal)).total : null;
    return { leads: found.filter((lead) => lead !== null), total, board: null, reading };
  }
  const [fresh, board] = await Promise.all([leads.list(page, signal), isAny ? readBoard(leads, signal) : null]);
  return { leads: fresh.leads, total: fresh.total, board, reading };
}

async function readBoard(leads: LeadsGateway, signal: AbortSignal): Promise<Board> {
  const [stages, followups] = await Promise.all([leads.listStages(signal), leads.listFollowups(signal)]);
  return { stages, steps: stepsOf(followups) };
}
