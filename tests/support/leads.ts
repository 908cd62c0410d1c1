import { parse } from "valibot";
import { Lead } from "../../domain/lead.ts";
import type { Stage } from "../../domain/stage.ts";

/** Returns a lead with nothing set but its number. */
export const leadNumber = (number: number, known: Partial<Lead> = {}): Lead =>
  parse(Lead, {
    id: `lead-${number}`,
    telegram_user_id: String(5_000 + number),
    name: `Lead ${number}`,
    username: `lead${number}`,
    stage_id: "stage-1",
    notes: "",
    created_at: "2026-03-05T10:00:00.000Z",
    ...known,
  });

export const leadsUpTo = (count: number): Lead[] => Array.from({ length: count }, (_, index) => leadNumber(index + 1));

export const twoStages: Stage[] = [
  { id: "stage-1", name: "Initial Contact", color: "#999999", order: 1, keywords: ["hello"] },
  { id: "stage-2", name: "Interested", color: "#0b6e5f", order: 2, keywords: ["price", '"high intent"'] },
];

/** Writes to a lead's row that succeed. `note` is called with each. */
export const rowWrites = (note: (write: string) => void = () => {}) => ({
  saveNotes: async ({ notes }: { notes: string }) => (note(`notes: ${notes}`), notes),
  changeStage: async ({ stageId }: { stageId: string }) => note(`stage: ${stageId}`),
  undoStage: async () => note("stage: back"),
});

/** Follow-ups of the first stage. */
export const twoSteps = { "stage-1": ["Here are our prices.", "Shall we talk?"] };

/** The fields that a manual move resets. */
export const RESET = { followup_order_sent: 0, last_followup_sent_at: null, last_user_message_at: null };
