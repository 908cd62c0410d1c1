import type { StoryItem } from "../../../domain/story.ts";
import { kindName } from "../kit/send-words.ts";

/** The words of one line: what happened, what stands under it, and who or what did it. */
export type StoryLine = { title: string; detail: string | null; quote: string | null; by: string };

const ENDS: Record<string, string> = {
  sent: "sent",
  failed: "not sent",
  skipped: "skipped",
  would_send: "would have been sent, but a dry run was on",
  unknown: "perhaps sent: Telegram did not say",
};
const MOVES: Record<string, string> = {
  stage_deleted: "The stage was deleted",
  undone: "The move was taken back",
};
const OTHERS: Record<string, string> = {
  held: "Automatic messages held",
  resumed: "Automatic messages resumed",
  skipped: "Step skipped",
  opted_out: "Asked for no more messages",
  excluded: "Excluded",
  note_changed: "Notes changed",
  tags_changed: "Tags changed",
  fields_changed: "Fields changed",
};

/** One part of a lead's story as it is read; `stageName` gives a stage's name, or null for one that is gone. */
export function lineOf(item: StoryItem, stageName: (id: string) => string | null): StoryLine {
  const named = (id: string | null | undefined) => (id == null ? "no stage" : (stageName(id) ?? "a deleted stage"));
  const by =
    item.by.name ?? (item.by.kind === "automation" ? "Leadloom" : item.by.kind === "key" ? "A program" : "You");
  const plain = { detail: null, quote: null, by };
  switch (item.type) {
    case "entered":
      return { ...plain, title: `Became a lead in ${named(item.to)}` };
    case "stage_moved":
      return {
        ...plain,
        title: `${named(item.from)} → ${named(item.to)}`,
        detail: item.keyword ? "Moved by the word" : (MOVES[item.reason ?? ""] ?? null),
        quote: item.keyword ?? null,
      };
    case "sent": {
      return {
        ...plain,
        title: `${kindName(item.kind)} ${ENDS[item.state ?? ""] ?? item.state ?? ""}`.trim(),
        detail: item.words ?? null,
        quote: item.step?.preview || null,
      };
    }
    default:
      return { ...plain, title: OTHERS[item.type] ?? item.type.replaceAll("_", " "), detail: item.words ?? null };
  }
}
