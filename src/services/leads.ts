import { parse, string } from "valibot";
import { Lead, LeadsPage, mergeNotes } from "../../domain/lead.ts";
import { failureOf } from "../../domain/problem.ts";
import type { Drafts } from "./drafts.ts";
import type { Http } from "./http.ts";
import { createOwnWrites } from "./own-writes.ts";
import type { SafeStorage } from "./storage.ts";
import { createTypedOver } from "./typed-over.ts";
import { type Unanswered, createStoredUnanswered } from "./unanswered.ts";

/**
 * `/leads` of the product API. Writes go on when the screen is left: they take no signal. A reading never brings back
 * what a write of this gateway has replaced meanwhile.
 */
export const createLeadsGateway = (http: Http, unanswered?: Unanswered) => {
  const own = createOwnWrites();
  const write = createTypedOver(http, {
    bodyOf: (notes) => ({ notes }),
    read: async (leadId) => parse(Lead, await http(pathOf(leadId))).notes ?? "",
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
      own.reading<Whole | null>(
        http(pathOf(leadId), { signal }).then(decode, (error: unknown) => {
          const { status } = failureOf(error);
          if (status === 404 || status === 405) return null;
          throw error;
        }),
        (lead, newestOf) => lead && newestOf(lead),
      );
  return {
    /** Readings of leads by other calls, over which what this gateway wrote stands. */
    reading: own.reading,

    /** One page of leads, newest first; `total` counts all that match. */
    list: (request: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<LeadsPage> =>
      own.reading(
        http("/leads", { query: request, signal }).then((answer) => parse(LeadsPage, answer)),
        (page, newestOf) => ({ ...page, leads: page.leads.map(newestOf) }),
      ),

    /** One lead; null where the server does not know it, or not the call. */
    read: readAs((answer) => parse(Lead, answer)),

    /** The same, as another screen reads the answer. */
    readAs,

    /**
     * Saves notes that were typed over others, and answers those that stand there now: what somebody else added meanwhile is kept below.
     */
    saveNotes: async ({ leadId, notes, over }: { leadId: string; notes: string; over: string }): Promise<string> => {
      const end = own.send(leadId, { notes });
      try {
        const saved = await saveOver({ leadId, text: notes, over });
        own.settle(leadId, { notes: saved });
        return saved;
      } finally {
        end();
      }
    },

    /** Moves the lead; its follow-ups start again and its own last word no longer counts. */
    changeStage: async ({ leadId, stageId }: { leadId: string; stageId: string }): Promise<void> => {
      const body = {
        stage_id: stageId,
        followup_order_sent: 0,
        last_followup_sent_at: null,
        last_user_message_at: null,
      };
      await http(pathOf(leadId), { method: "PATCH", body });
      own.settle(leadId, body);
    },

    /** Takes back the newest move by hand, if it is less than a minute old and nothing came after it. */
    undoStage: async ({ leadId }: { leadId: string }): Promise<void> => {
      await http(`${pathOf(leadId)}/stage/undo`, { method: "POST" });
    },
  };
};

const pathOf = (leadId: string) => `/leads/${encodeURIComponent(leadId)}`;

/** Notes that were sent and got no answer, kept over a reload: what of one's own has arrived is not somebody else's. */
export const createUnansweredNotes = (storage: SafeStorage): Unanswered =>
  createStoredUnanswered(storage, (leadId) => `leadloom.notes.${leadId}.sent`);

const NOTES = { notes: string(), over: string() };

export type NotesDrafts = ReturnType<typeof createNotesDrafts>;
/** Notes as typed, and those that they were typed over; null where that is not known. */
export type NotesDraft = { notes: string; over: string | null };

/** Notes on their way to the server, and those that they were typed over, kept until they have arrived. */
export function createNotesDrafts(drafts: Drafts) {
  const draftOf = (leadId: string) => drafts.of(`notes.${leadId}`, NOTES);
  return {
    read(leadId: string): NotesDraft | null {
      const { notes, over = null } = draftOf(leadId).read() ?? {};
      return notes === undefined ? null : { notes, over };
    },
    keep: (leadId: string, draft: { notes: string; over: string }) => draftOf(leadId).write(draft, {}),
    /** Forgets the draft unless something else was typed meanwhile. */
    settle(leadId: string, notes: string): void {
      if (draftOf(leadId).read()?.notes === notes) draftOf(leadId).forget();
    },
  };
}
