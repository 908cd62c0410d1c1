import { parse, string } from "valibot";
import { Lead, LeadsPage, mergeNotes } from "../../domain/lead.ts";
import { nullOn } from "../../domain/problem.ts";
import { leadPath } from "./addresses.ts";
import type { Drafts } from "./drafts.ts";
import type { Http } from "./http.ts";
import { createOwnWrites } from "./own-writes.ts";
import type { SafeStorage } from "./storage.ts";
import { createTypedOver } from "./typed-over.ts";
import { type Unanswered, createStoredUnanswered } from "./unanswered.ts";

/**
 * `/leads` of the product API. Writes take no signal, so they finish even if the user leaves the screen. A read never reverts what a write
 * of this gateway has changed since.
 */
export const createLeadsGateway = (http: Http, unanswered?: Unanswered) => {
  const own = createOwnWrites();
  const write = createTypedOver(http, {
    bodyOf: (notes) => ({ notes }),
    read: async (leadId) => parse(Lead, await http(leadPath(leadId))).notes ?? "",
    ...(unanswered && { unanswered }),
  });
  const saveOver = async (change: { leadId: string; text: string; over: string }): Promise<string> => {
    const stored = await write(change);
    if (stored === null) return change.text;
    return saveOver({ ...change, text: mergeNotes(change.text, change.over, stored), over: stored });
  };
  const readAs =
    <Whole extends Lead>(decode: (answer: unknown) => Whole) =>
    ({ leadId }: { leadId: string }, signal: AbortSignal): Promise<Whole | null> =>
      own.mergeWrites<Whole | null>(
        http(leadPath(leadId), { signal }).then(decode, nullOn(404, 405)),
        (lead, newestOf) => lead && newestOf(lead),
      );
  return {
    /** Merges this gateway's writes into reads of leads by other calls. */
    mergeWrites: own.mergeWrites,

    /** One page of leads, newest first; `total` counts all matches. */
    list: (request: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<LeadsPage> =>
      own.mergeWrites(
        http("/leads", { query: request, signal }).then((answer) => parse(LeadsPage, answer)),
        (page, newestOf) => ({ ...page, leads: page.leads.map(newestOf) }),
      ),

    /** One lead; null if the server does not know it, or the call. */
    read: readAs((answer) => parse(Lead, answer)),

    /** The same, with another decoder. */
    readAs,

    /** Saves notes based on `over`, and returns the stored ones: an addition by another device is kept below. */
    saveNotes: async ({ leadId, notes, over }: { leadId: string; notes: string; over: string }): Promise<string> => {
      const end = own.send(leadId, { notes, isNoteInFlight: true });
      try {
        const saved = await saveOver({ leadId, text: notes, over });
        own.settle(leadId, { notes: saved });
        return saved;
      } finally {
        end();
      }
    },

    /** Moves the lead; its follow-ups restart and its last reply no longer counts. */
    changeStage: async ({ leadId, stageId }: { leadId: string; stageId: string }): Promise<void> => {
      const body = {
        stage_id: stageId,
        followup_order_sent: 0,
        last_followup_sent_at: null,
        last_user_message_at: null,
      };
      await http(leadPath(leadId), { method: "PATCH", body });
      own.settle(leadId, body);
    },

    /** Undoes the latest manual move, if it is less than a minute old and nothing happened after it. */
    undoStage: async ({ leadId }: { leadId: string }): Promise<void> => {
      await http(`${leadPath(leadId)}/stage/undo`, { method: "POST" });
    },
  };
};

/** Notes that were sent without a response, stored across reloads, so that the user's own notes are not taken for another device's. */
export const createUnansweredNotes = (storage: SafeStorage): Unanswered =>
  createStoredUnanswered(storage, (leadId) => `leadloom.notes.${leadId}.sent`);

const NOTES = { notes: string(), over: string() };

export type NotesDrafts = ReturnType<typeof createNotesDrafts>;
/** Notes as typed, and the notes they are based on; null if not known. */
export type NotesDraft = { notes: string; over: string | null };

/** Notes being saved, and the notes they are based on, kept until the save succeeds. */
export function createNotesDrafts(drafts: Drafts) {
  const draftOf = (leadId: string) => drafts.of(`notes.${leadId}`, NOTES);
  return {
    read(leadId: string): NotesDraft | null {
      const { notes, over = null } = draftOf(leadId).read() ?? {};
      return notes === undefined ? null : { notes, over };
    },
    keep: (leadId: string, draft: { notes: string; over: string }) => draftOf(leadId).write(draft, {}),
    /** Removes the draft unless the user typed something else in the meantime. */
    settle(leadId: string, notes: string): void {
      if (draftOf(leadId).read()?.notes === notes) draftOf(leadId).forget();
    },
  };
}
