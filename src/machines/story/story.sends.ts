import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../../domain/ui-text.ts";

const KINDS: Partial<Record<string, UiText>> = {
  followup: msg`Follow-up`,
  bulk: msg`Bulk message`,
  reply: msg({ message: "Answer", comment: "A kind of message: the user's answer to a person." }),
  manual: msg`Follow-up by hand`,
  reminder: msg`Reminder`,
};

const OTHER_KIND = msg({ message: "Message", comment: "A kind of message that has no name of its own." });

/** A message kind's name, such as `Follow-up`. */
export const kindName = (kind: string | null | undefined): UiText => KINDS[kind ?? ""] ?? OTHER_KIND;

/** A follow-up's position in its stage, counted from 1, such as `Step 2`. */
export const stepText = ({ order }: { order: number | null }): UiText =>
  order === null ? msg`A deleted step` : msg`Step ${{ number: order + 1 }}`;
