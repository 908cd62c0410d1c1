import type { Message } from "../../../domain/message.ts";
import type { Outgoing } from "../../machines/composer/composer.outgoing.ts";
import { dayLine, isSameDay } from "./times.ts";

export type Row = { key: string; at: string; day: string | null } & (
  | { message: Message; reply: null }
  | { message: null; reply: Outgoing }
);

type Cached = { row: Row; before: string | null; now: number };

/** Makes the rows of a conversation, oldest first. What stands as it stood is not made anew when others come. */
export function createRows() {
  const cache = new WeakMap<Message, Cached>();
  const dayOf = (at: string, before: string | null, now: number) =>
    before !== null && isSameDay(before, at) ? null : dayLine(at, now);
  const rowOf = (message: Message, before: string | null, now: number): Row => {
    const known = cache.get(message);
    if (known?.before === before && known.now === now) return known.row;
    const { id: key, at } = message;
    const row = { key, at, day: dayOf(at, before, now), message, reply: null };
    cache.set(message, { row, before, now });
    return row;
  };
  return (messages: readonly Message[], outgoing: readonly Outgoing[], now: number): Row[] => {
    let before: string | null = null;
    const rows: Row[] = [];
    for (const message of messages) {
      rows.push(rowOf(message, before, now));
      before = message.at;
    }
    for (const reply of outgoing) {
      rows.push({ key: `reply ${reply.key}`, at: reply.at, day: dayOf(reply.at, before, now), message: null, reply });
      before = reply.at;
    }
    return rows;
  };
}

/** Lines of some forty letters, where a row's height follows from nothing else. */
function shapeOf({ day, message }: Row): string | null {
  if (
    message === null ||
    message.media !== null ||
    message.deleted_at !== null ||
    message.state === "failed" ||
    message.state === "unknown"
  )
    return null;
  return `${Math.floor(message.text.length / 42)} ${message.text.split("\n").length} ${day === null}`;
}

/** What the style sheet makes of a row of one line, of each further line and of a day's line, at the common size of letters. */
const ROW = 54;
const LINE = 21;
const DAY_LINE = 41;

/** Without a row of its kind: as many lines as letters ask for, and a picture. */
function formulaOf({ day, message, reply }: Row): number {
  const text = message?.text ?? reply?.text ?? "";
  const hasPicture = message?.media != null && (message.kind === "photo" || message.kind === "video");
  return ROW + Math.floor(text.length / 42) * LINE + (hasPicture ? 240 : 0) + (day === null ? 0 : DAY_LINE);
}

/**
 * Guesses a row's height, in CSS pixels, until it was measured: by the last row of its kind that was. A guess once made
 * stays, since what stands below it would move with it. Rows that are as high as was guessed cost nothing when they are
 * measured; each other one has all places below it worked out anew.
 */
export function createGuesses() {
  const made = new Map<string, number>();
  const seen = new Map<string, number>();
  return {
    of(row: Row): number {
      const known = made.get(row.key);
      if (known !== undefined) return known;
      const guess = seen.get(shapeOf(row) ?? "") ?? formulaOf(row);
      made.set(row.key, guess);
      return guess;
    },
    learn(row: Row, height: number): void {
      const shape = shapeOf(row);
      if (shape !== null) seen.set(shape, height);
    },
  };
}
