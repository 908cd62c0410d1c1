import type { LedgerState } from "../../../domain/ledger.ts";

type Tone = "good" | "bad" | "warn" | "neutral";

/** How a state is called, and whether it is good news. */
export const STATE_WORDS: Record<LedgerState, { name: string; tone: Tone }> = {
  pending: { name: "Waiting", tone: "neutral" },
  sending: { name: "On its way", tone: "neutral" },
  sent: { name: "Sent", tone: "good" },
  skipped: { name: "Skipped", tone: "warn" },
  failed: { name: "Not sent", tone: "bad" },
  unknown: { name: "Perhaps sent", tone: "warn" },
  cancelled: { name: "Withdrawn", tone: "neutral" },
  would_send: { name: "Would be sent", tone: "warn" },
};
