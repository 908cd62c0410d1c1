import type { Message } from "../../../domain/message.ts";
import type { Outgoing } from "../../machines/composer/composer.outgoing.ts";
import { isSameDay } from "./times.ts";

/** `isDayStart`: the first of its day, below a line that names the day. */
export type Row = { key: string; at: string; isDayStart: boolean } & (
  | { message: Message; reply: null }
  | { message: null; reply: Outgoing }
);

type Cached = { row: Row; before: string | null };

/** Creates the rows of a conversation, oldest first. Unchanged rows keep their identity. */
export function createRows() {
  const cache = new WeakMap<Message, Cached>();
  const isDayStart = (at: string, before: string | null) => before === null || !isSameDay(before, at);
  const rowOf = (message: Message, before: string | null): Row => {
    const known = cache.get(message);
    if (known?.before === before) return known.row;
    const { id: key, at } = message;
    const row = { key, at, isDayStart: isDayStart(at, before), message, reply: null };
    cache.set(message, { row, before });
    return row;
  };
  return (messages: readonly Message[], outgoing: readonly Outgoing[]): Row[] => {
    let before: string | null = null;
    const rows: Row[] = [];
    for (const message of messages) {
      rows.push(rowOf(message, before));
      before = message.at;
    }
    for (const reply of outgoing) {
      const { key, at } = reply;
      rows.push({ key: `reply ${key}`, at, isDayStart: isDayStart(at, before), message: null, reply });
      before = at;
    }
    return rows;
  };
}

/** Approximates lines of forty letters; null if the height depends on something else. */
function shapeOf({ isDayStart, message }: Row): string | null {
  if (
    message === null ||
    message.media !== null ||
    message.deleted_at !== null ||
    message.state === "failed" ||
    message.state === "unknown"
  )
    return null;
  return `${Math.floor(message.text.length / 42)} ${message.text.split("\n").length} ${isDayStart}`;
}

/** Heights in the style sheet: a row of one line, each further line and a day's line, at the default font size. */
const ROW = 54;
const LINE = 21;
const DAY_LINE = 41;

/** The estimate without a measured row of the kind: lines by letters, and a picture. */
function formulaOf({ isDayStart, message, reply }: Row): number {
  const text = message?.text ?? reply?.text ?? "";
  const hasPicture = message?.media != null && (message.kind === "photo" || message.kind === "video");
  return ROW + Math.floor(text.length / 42) * LINE + (hasPicture ? 240 : 0) + (isDayStart ? DAY_LINE : 0);
}

/**
 * Estimates a row's height, in CSS pixels, until it is measured, from the last measured row of its kind. An estimate never changes, because
 * rows below would move. Rows measured as estimated cost nothing; each other one repositions all rows below it.
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
