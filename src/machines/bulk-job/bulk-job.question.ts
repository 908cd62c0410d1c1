import { msg, plural } from "@lingui/core/runtime-macro";
import { eachRecipientMessage } from "../../../domain/refusal-messages.ts";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import type { Preflight } from "../../../domain/preflight.ts";
import { momentText } from "../../language/format.ts";
import { lines } from "../../language/joining.ts";

/**
 * What is known about a bulk message before it is sent. `unknown`: the server does not know the call; `late`: no response in time;
 * `loadFailed`: the request failed.
 */
export type PreflightResult = { kind: "unknown" | "late" | "loadFailed" } | { kind: "known"; preflight: Preflight };

const NOT_KNOWN = {
  unknown: [],
  late: [
    msg`How many of them can be reached, and when it would be finished, is not known yet: it is still being worked out.`,
  ],
  loadFailed: [
    msg`How many of them can be reached, and when it would be finished, is not known: it could not be read.`,
  ],
};

/** Replaces a stage's name: the leads chosen in the list. */
export const CHOSEN = Symbol("chosen in the list");

/** The spec's question, to the letter; leads chosen in the list have their own. */
const questionOf = (stageName: UiTextOrString | null | typeof CHOSEN, count: number): UiText =>
  stageName === CHOSEN
    ? msg`Send this message to the ${plural({ count }, { one: "# lead", other: "# leads" })} chosen in the list?`
    : stageName === null
      ? msg`Send this message to ALL your leads (${plural({ count }, { one: "# lead", other: "# leads" })}, every stage)?`
      : msg`Send this message to ${plural({ count }, { one: "# lead", other: "# leads" })} in stage "${{ stageName }}"?`;

/** The question before a bulk message, with the preflight result in its own paragraph. */
export function confirmationText(
  stageName: UiTextOrString | null | typeof CHOSEN,
  count: number,
  preflightResult: PreflightResult,
): UiTextOrString {
  // Some of the chosen leads may have been deleted since.
  const meant = stageName === CHOSEN && preflightResult.kind === "known" ? preflightResult.preflight.targets : count;
  const question = questionOf(stageName, meant);
  const details = lines(
    preflightResult.kind === "known" ? preflightLines(preflightResult.preflight) : NOT_KNOWN[preflightResult.kind],
  );
  return details === null ? question : msg`${{ question }}\n\n${{ details }}`;
}

function preflightLines(preflight: Preflight): UiTextOrString[] {
  const { targets, reachable, skipped, unchecked, cold, cold_left_today: left } = preflight;
  return [
    msg`${plural({ reachable }, { one: "#", other: "#" })} of ${plural({ targets }, { one: "# lead", other: "# leads" })} can be reached.`,
    ...skipped.map(
      ({ reason, count }) =>
        msg`Skipped: ${plural({ count }, { one: "#", other: "#" })}. ${{ reason: eachRecipientMessage(reason) }}`,
    ),
    ...(unchecked > 0
      ? [
          msg`${plural({ unchecked }, { one: "# person was", other: "# people were" })} not checked recently. Telegram may still refuse them.`,
        ]
      : []),
    // Telegram is quick to restrict accounts that write to people after a long silence.
    ...(cold > 0
      ? [
          msg`Without a word for 30 days: ${plural({ cold }, { one: "#", other: "#" })}. Today ${plural({ left }, { one: "# more such message", other: "# more such messages" })} may leave.`,
        ]
      : []),
    ...timeTexts(preflight),
  ];
}

function timeTexts({ reachable, starts_at, finishes_at }: Preflight): UiText[] {
  const finish = momentText(finishes_at);
  if (reachable === 0) return [msg`Nothing would go out.`];
  if (finish === null) return [msg`When it would be finished is not known: at present it could not run to its end.`];
  const start = momentText(starts_at);
  return [
    start === null
      ? msg`Finishes about ${{ finish }}, your time.`
      : msg`Starts ${{ start }}. Finishes about ${{ finish }}, your time.`,
  ];
}
