import { type FailureText, failureMessage } from "../kit/failed.ts";
import { type Logger, createReporter } from "../kit/reporting.ts";
import type { Notifier } from "../kit/speaking.ts";
import { type LeadRowDeps, type LeadRowGateway, createLeadRowActors } from "./lead-row.actors.ts";
import { type RowsList, leadRowMachine } from "./lead-row.machine.ts";

/** A row's logic over a gateway; one for all rows of a list. */
export const createLeadRow = (deps: LeadRowDeps) =>
  leadRowMachine.provide({
    actors: createLeadRowActors(deps),
    actions: {
      keepDraft: (_, { leadId, draft }) => deps.drafts.keep(leadId, draft),
      forgetDraft: (_, { leadId, notes }) => deps.drafts.settle(leadId, notes),
      offerUndo: (_, input) => tellMove(deps, input),
      reportFailure: createReporter(deps.logger),
    },
  });

type MoveDeps = {
  leads: Pick<LeadRowGateway, "undoStage">;
  notifier: Pick<Notifier, "toast" | "warn">;
  logger: Logger;
};
type Told = { leadId: string; list: RowsList | null };

/** Shows one toast for a move, with Undo beside it. */
export const tellMove = (deps: MoveDeps, told: Told): void =>
  deps.notifier.toast("Lead stage updated", {
    undo: { label: "Undo", onPress: () => void undoMove(deps, told) },
    afterwards: "The lead was moved.",
  });

const UNDO_FAILED: FailureText = {
  refused: "The stage change could not be undone. Choose the stage again.",
  unknown: "The stage change may have been undone.",
};

/** Belongs to the page, not to a row: the offer outlives the screen. */
async function undoMove({ leads, notifier, logger }: MoveDeps, { leadId, list }: Told): Promise<void> {
  try {
    await leads.undoStage({ leadId });
    notifier.toast("The lead is back where it was.");
    if (list?.getSnapshot().status === "active") list.send({ type: "list.reload" });
  } catch (error) {
    logger.warn("a stage change was not taken back", error);
    notifier.warn(failureMessage(error, UNDO_FAILED));
    if (list?.getSnapshot().status === "active") list.send({ type: "lead.changed", id: leadId });
  }
}

export type { LeadRowDeps, LeadRowGateway, NotesDraft, NotesDrafts } from "./lead-row.actors.ts";
export { type LeadRowVerbs, useLeadRow, useLeadRowVerbs } from "./lead-row.context.tsx";
export { type LeadRowInput, type LeadRowRef, leadRowMachine } from "./lead-row.machine.ts";
export * from "./lead-row.selectors.ts";
export * from "./lead-row.steps.ts";
