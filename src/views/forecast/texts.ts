import { msg } from "@lingui/core/runtime-macro";
import type { ForecastItem } from "../../../domain/forecast.ts";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { hourText } from "../../language/format.ts";
import { kindName } from "../../machines/story/story.sends.ts";

/** The lead's page; null for a message without a single lead. */
export const hrefOf = ({ lead }: ForecastItem): string | null =>
  lead === null ? null : `/leads/${encodeURIComponent(lead.id)}`;

/** Names a message's recipient. */
export const recipientText = ({ lead }: ForecastItem): UiTextOrString =>
  lead === null
    ? msg`Several leads`
    : lead.name || msg({ message: "Someone", comment: "A lead whose name is not known." });

/** Names a message's kind, such as `Follow-up 2`. */
export const whatOf = ({ kind, step }: ForecastItem): UiText =>
  step === null || step.order === null
    ? kindName(kind)
    : msg`${{ kind: kindName(kind) }} ${{ number: step.order + 1 }}`;

export const lineOf = (item: ForecastItem): UiText =>
  msg`${{ time: hourText(item.at) ?? "" }} ${{ lead: recipientText(item) }} · ${{ message: whatOf(item) }}`;

const dayOf = (time: number) => new Date(time).setHours(0, 0, 0, 0);

/** Whether a time is after today. */
export const isLaterDay = (at: string, now: number): boolean => dayOf(Date.parse(at)) > dayOf(now);
