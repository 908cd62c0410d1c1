import { UNDO_ACTS_MS } from "../../../domain/limits.ts";
import { failureMessage } from "../kit/failed.ts";
import { createReporter } from "../kit/reporting.ts";
import { type LeadMarksDeps, createLeadMarksActors } from "./lead-marks.actors.ts";
import { leadMarksMachine } from "./lead-marks.machine.ts";

/** A lead's tags, fields and exclusion over a gateway. */
export const createLeadMarks = (deps: LeadMarksDeps) =>
  leadMarksMachine.provide({
    actors: createLeadMarksActors(deps),
    actions: {
      tellOthers: deps.onChanged,
      offerUndo(_, { leadId, name, telegramUserId }) {
        // It is offered in two places.
        let isTaken = false;
        const undo = async () => {
          if (isTaken) return;
          isTaken = true;
          isTaken = await restore(deps, telegramUserId);
        };
        deps.excluded.add(leadId, name, () => void undo());
        deps.notifier.toast(`${name ?? "This person"} is not a lead any more.`, {
          undo: { label: "Undo", onPress: () => void undo() },
          durationMs: UNDO_ACTS_MS,
        });
      },
      reportFailure: createReporter(deps.logger),
    },
  });

/** Belongs to the page: the offer outlives the lead's panel. Resolves to whether it was taken back. */
async function restore(
  { marks, notifier, logger, onChanged, excluded }: LeadMarksDeps,
  telegramUserId: string,
): Promise<boolean> {
  try {
    const leadId = await marks.restore({ telegramUserId });
    if (leadId !== null) excluded.remove(leadId);
    notifier.toast(leadId === null ? "Restored. The next message makes a new lead." : "The lead is there again.");
    onChanged();
    return true;
  } catch (error) {
    logger.warn("an exclusion was not taken back", error);
    notifier.warn(
      failureMessage(error, {
        refused: "The lead could not be brought back.",
        unknown: "The lead may be back: look at the list.",
      }),
    );
    onChanged();
    return false;
  }
}

export type { LeadMarksDeps, LeadMarksGateway } from "./lead-marks.actors.ts";
export * from "./lead-marks.context.tsx";
export { type MarkedLead, leadMarksMachine } from "./lead-marks.machine.ts";
