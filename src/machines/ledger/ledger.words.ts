import { msg } from "@lingui/core/runtime-macro";
import type { LedgerState } from "../../../domain/ledger.ts";
import type { UiText } from "../../../domain/ui-text.ts";

type Tone = "good" | "bad" | "warn" | "neutral";

/** How a state is called, and whether it is good news. */
export const STATE_WORDS: Record<LedgerState, { name: UiText; tone: Tone }> = {
  pending: { name: msg({ message: "Waiting", context: "a message" }), tone: "neutral" },
  sending: { name: msg`On its way`, tone: "neutral" },
  sent: { name: msg`Sent`, tone: "good" },
  skipped: { name: msg`Skipped`, tone: "warn" },
  failed: { name: msg`Not sent`, tone: "bad" },
  unknown: { name: msg`Perhaps sent`, tone: "warn" },
  cancelled: { name: msg`Withdrawn`, tone: "neutral" },
  would_send: { name: msg`Would be sent`, tone: "warn" },
};
