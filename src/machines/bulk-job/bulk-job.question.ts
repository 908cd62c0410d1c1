import type { Preflight } from "../../../domain/preflight.ts";
import { leadsText, momentText, numberText } from "../../language/format.ts";

/**
 * What is known ahead of a bulk message. `untold`: the server does not tell it; `late`: it did not come in time; `unread`: it could not
 * be read.
 */
export type Foresight = { kind: "untold" | "late" | "unread" } | { kind: "known"; preflight: Preflight };

const UNKNOWN = "How many of them can be reached, and when it would be finished, is not known";

/** In place of a stage's name: the leads that were chosen in the list. */
export const CHOSEN = Symbol("chosen in the list");

/** The spec's question, to the letter; those chosen in the list are asked about in words of their own. */
const asked = (stageName: string | null | typeof CHOSEN, count: number): string =>
  stageName === CHOSEN
    ? `Send this message to the ${leadsText(count)} chosen in the list?`
    : stageName === null
      ? `Send this message to ALL your leads (${leadsText(count)}, every stage)?`
      : `Send this message to ${leadsText(count)} in stage "${stageName}"?`;

/** The question before a bulk message, with what is known of it in a paragraph of its own. */
export function confirmationText(
  stageName: string | null | typeof CHOSEN,
  count: number,
  foresight: Foresight,
): string {
  const known = {
    untold: () => [],
    late: () => [`${UNKNOWN} yet: it is still being worked out.`],
    unread: () => [`${UNKNOWN}: it could not be read.`],
    known: () => (foresight.kind === "known" ? foreseen(foresight.preflight) : []),
  }[foresight.kind]();
  // Some of those who were chosen may be gone since.
  const meant = stageName === CHOSEN && foresight.kind === "known" ? foresight.preflight.targets : count;
  return [asked(stageName, meant), known.join("\n")].filter(Boolean).join("\n\n");
}

function foreseen(preflight: Preflight): string[] {
  const { targets, reachable, skipped, unchecked } = preflight;
  return [
    `${numberText(reachable)} of ${leadsText(targets)} can be reached.`,
    ...skipped.map(({ words, count }) => `Skipped: ${numberText(count)}. ${words}`),
    ...(unchecked > 0 ? [`Not asked about of late, so they may yet be refused: ${numberText(unchecked)}.`] : []),
    ...coldText(preflight),
    timeText(preflight),
  ];
}

/** People whom nobody wrote to or heard of for long: Telegram is quick to take offence there. */
const coldText = ({ cold, cold_left_today: left }: Preflight): string[] =>
  cold === 0
    ? []
    : [`Without a word for 30 days: ${numberText(cold)}. Today ${numberText(left)} more of such messages may leave.`];

function timeText({ reachable, starts_at, finishes_at }: Preflight): string {
  const finish = momentText(finishes_at);
  if (reachable === 0) return "Nothing would go out.";
  if (finish === null) return "When it would be finished is not known: at present it could not run to its end.";
  const start = momentText(starts_at);
  return `${start === null ? "" : `Starts ${start}. `}Finishes about ${finish}, your time.`;
}
