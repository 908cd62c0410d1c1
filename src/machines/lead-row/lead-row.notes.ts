import { msg } from "@lingui/core/runtime-macro";
import type { NotesDrafts } from "../../services/leads.ts";
import { type FailureText, type WritingPage, failureMessage, writing } from "../kit/writing.ts";

type Typed = { leadId: string; notes: string; over: string };

/** Saves notes based on earlier ones; returns the stored notes, including another client's additions. */
export type NotesWrite = { saveNotes(input: Typed): Promise<string> };

const NOTE_FAILED: FailureText = {
  refused: msg`A note was not saved. It is kept on the leads screen: try again there.`,
  unknown: msg`A note may not have been saved. It is kept on the leads screen: try again there.`,
};

/** Saves a note. If the row has been removed in the meantime, also saves what the user typed during the save. */
export function savingNotes(page: WritingPage, { leads, drafts }: { leads: NotesWrite; drafts: NotesDrafts }) {
  const save = async ({ leadId, ...draft }: Typed): Promise<string> => {
    drafts.keep(leadId, draft);
    const saved = await leads.saveNotes({ leadId, ...draft });
    drafts.settle(leadId, draft.notes);
    return saved;
  };
  const saveRest = async ({ leadId, notes: over }: Typed): Promise<void> => {
    const rest = drafts.read(leadId);
    if (rest === null) return;
    try {
      await save({ leadId, notes: rest.notes, over });
    } catch (error) {
      page.logger.warn("a note was not saved", error);
      page.notifier.warn(failureMessage(error, NOTE_FAILED));
    }
  };
  return writing<string, Typed>(page, save, {
    done(_output, typed) {
      void saveRest(typed);
      return null;
    },
    failed: NOTE_FAILED,
  });
}
