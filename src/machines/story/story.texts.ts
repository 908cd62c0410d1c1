import { msg, select } from "@lingui/core/runtime-macro";
import { sentenceMessage } from "../../../domain/ledger-messages.ts";
import type { StoryItem } from "../../../domain/story.ts";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { kindName } from "./story.sends.ts";

/** The texts of a line: the event, its detail, and who or what caused it. */
export type StoryLine = {
  title: UiTextOrString;
  detail: UiTextOrString | null;
  quote: string | null;
  by: UiTextOrString;
};

/** The outcome of a message, by its kind. */
const SENDS: Readonly<Record<string, (kind: string) => UiText>> = {
  sent: (kind) =>
    msg`${select({ kind }, { followup: "Follow-up sent", bulk: "Bulk message sent", reply: "Answer sent", manual: "Follow-up by hand sent", reminder: "Reminder sent", other: "Message sent" })}`,
  failed: (kind) =>
    msg`${select({ kind }, { followup: "Follow-up not sent", bulk: "Bulk message not sent", reply: "Answer not sent", manual: "Follow-up by hand not sent", reminder: "Reminder not sent", other: "Message not sent" })}`,
  skipped: (kind) =>
    msg`${select({ kind }, { followup: "Follow-up skipped", bulk: "Bulk message skipped", reply: "Answer skipped", manual: "Follow-up by hand skipped", reminder: "Reminder skipped", other: "Message skipped" })}`,
  would_send: (kind) =>
    msg`${select({ kind }, { followup: "Follow-up would have been sent, but a dry run was on", bulk: "Bulk message would have been sent, but a dry run was on", reply: "Answer would have been sent, but a dry run was on", manual: "Follow-up by hand would have been sent, but a dry run was on", reminder: "Reminder would have been sent, but a dry run was on", other: "Message would have been sent, but a dry run was on" })}`,
  unknown: (kind) =>
    msg`${select({ kind }, { followup: "Follow-up perhaps sent: Telegram did not say", bulk: "Bulk message perhaps sent: Telegram did not say", reply: "Answer perhaps sent: Telegram did not say", manual: "Follow-up by hand perhaps sent: Telegram did not say", reminder: "Reminder perhaps sent: Telegram did not say", other: "Message perhaps sent: Telegram did not say" })}`,
};
const MOVES: Readonly<Record<string, UiText>> = {
  stage_deleted: msg`The stage was deleted`,
  undone: msg`The move was taken back`,
};
const OTHERS: Readonly<Record<string, UiText>> = {
  held: msg`Automatic messages held`,
  resumed: msg`Automatic messages resumed`,
  skipped: msg`Step skipped`,
  opted_out: msg`Asked for no more messages`,
  excluded: msg({ message: "Excluded", comment: "The lead was taken out of the leads." }),
  note_changed: msg`Notes changed`,
  tags_changed: msg`Tags changed`,
  fields_changed: msg`Fields changed`,
};
const DOERS = {
  automation: msg({ message: "Leadloom", comment: "The product's name, in the place of who did something." }),
  key: msg({ message: "A program", comment: "In the place of who did something." }),
  person: msg({ message: "You", comment: "In the place of who did something." }),
};

/** Returns the texts of a history item; `stageName` returns a stage's name, or null if it was deleted. */
export function lineOf(item: StoryItem, stageName: (id: string) => string | null): StoryLine {
  const named = (id: string | null | undefined): UiTextOrString =>
    id == null
      ? msg({ message: "no stage", comment: "In the place of a stage's name." })
      : (stageName(id) ?? msg({ message: "a deleted stage", comment: "In the place of a stage's name." }));
  /** With marks that keep two right-to-left names from changing places beside the arrow. */
  const isolated = (id: string | null | undefined): UiTextOrString => {
    const name = named(id);
    return typeof name === "string" ? `\u2068${name}\u2069` : name;
  };
  const plain = { detail: null, quote: null, by: item.by.name ?? DOERS[item.by.kind] };
  switch (item.type) {
    case "entered":
      return { ...plain, title: msg`Became a lead in ${{ stage: named(item.to) }}` };
    case "stage_moved":
      return {
        ...plain,
        title: msg`${{ from: isolated(item.from) }} → ${{ to: isolated(item.to) }}`,
        detail: item.keyword
          ? msg({ message: "Moved by the word", comment: "The word follows, in quotes." })
          : (MOVES[item.reason ?? ""] ?? null),
        quote: item.keyword ?? null,
      };
    case "sent":
      return {
        ...plain,
        title: SENDS[item.state ?? ""]?.(item.kind ?? "") ?? kindName(item.kind),
        // History contains only settled messages, whose sentences have no time.
        detail: sentenceMessage(item, String),
        quote: item.step?.preview || null,
      };
    default:
      return { ...plain, title: OTHERS[item.type] ?? item.type.replaceAll("_", " "), detail: item.words ?? null };
  }
}
