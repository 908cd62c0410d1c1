import type { Message } from "../../../domain/message.ts";
import type { Outgoing } from "../../machines/composer/composer.outgoing.ts";
import { dayLine, isSameDay } from "./times.ts";

export type Row = { key: string; at: string; day: string | null } & (
  | { message: Message; reply: null }
  | { message: null; reply: Outgoing }
);

type Cached = { row: Row; before: string | null; now: number };

/** Creates the rows of a conversation, oldest first. Unchanged rows keep their identity. */
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

/** Approximates lines of forty letters; null if the height depends on something else. */
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

/** Heights in the style sheet: a row of one line, each further line and a day's line, at the default font size. */
const ROW = 54;
const LINE = 21;
const DAY_LINE = 41;

/** The estimate without a measured row of the kind: lines by letters, and a picture. */
function formulaOf({ day, message, reply }: Row): number {
  const text = message?.text ?? reply?.text ?? "";
  const hasPicture = message?.media != null && (message.kind === "photo" || message.kind === "video");
  return ROW + Math.floor(text.length / 42) * LINE + (hasPicture ? 240 : 0) + (day === null ? 0 : DAY_LINE);
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
