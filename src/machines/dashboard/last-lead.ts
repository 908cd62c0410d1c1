import { msg } from "@lingui/core/runtime-macro";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { agoText, fullTimeText } from "../../language/format.ts";

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;

/** How long ago the newest lead came, in words; after a week its full date and time. */
export function lastLeadText(createdAt: string | null, now: number): UiTextOrString {
  if (createdAt === null) return msg`None yet`;
  const time = Date.parse(createdAt);
  if (Number.isNaN(time)) return "—";
  const age = now - time;
  if (age < MINUTE) return msg`just now`;
  return age < WEEK ? agoText(age) : fullTimeText(time);
}
