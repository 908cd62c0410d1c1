import { LAB_MAX_LISTED } from "./keyword-lab.ts";
import { insideWord } from "./keyword-lint.ts";
import { readKeyword } from "./keyword.ts";
import { compileStageMatcher, type StageKeywords, type StageMatch } from "./keywords.ts";

/** A stage move from a lead's history; `at` is in milliseconds, stages are ids. */
export type PastMove = {
  leadId: string;
  at: number;
  from: string | null;
  to: string | null;
  reason: string;
  messageId: number | null;
};
/** A message from a lead; `present` is the lead's current stage. */
export type PastMessage = {
  leadId: string;
  present: string | null;
  at: number;
  messageId: number | null;
  text: string;
};
/** A difference that the edited keywords make; `keyword` is as written. */
export type PastChange = {
  leadId: string;
  at: number;
  text: string;
  keyword: string;
  from: string | null;
  before: string | null;
  after: string | null;
};
/** A keyword that was found in the middle of longer words. */
export type FoundInside = { keyword: string; stageId: string; word: string; times: number; looked: number };

export type Replayed = {
  scanned: number;
  before: number;
  after: number;
  /** the newest of them, newest first */
  changes: PastChange[];
  changesTotal: number;
  inside: FoundInside[];
};

/** How many matches of a keyword are checked for a longer word around it. */
const LOOKED_AT_MOST = 50;

type Side = {
  match(text: string): StageMatch | null;
  orderOf: ReadonlyMap<string, number>;
  first: string | null;
  moves: number;
};
type Lead = {
  saved: string | null;
  edited: string | null;
  /** moves not caused by keywords, in order; the next one */
  hands: PastMove[];
  next: number;
  entry: PastMove | null;
  hasEntered: boolean;
};

function sideOf(stages: readonly StageKeywords[]): Side {
  const ordered = stages.toSorted((a, b) => a.order - b.order);
  const { match } = compileStageMatcher(stages);
  return {
    match,
    orderOf: new Map(ordered.map(({ id, order }) => [id, order])),
    first: ordered[0]?.id ?? null,
    moves: 0,
  };
}

/**
 * Replays the messages of a period with the saved keywords and with the edited ones, by the rules for incoming messages: a
 * lead's first message only creates it, later keywords only move it forward, and manual moves apply to both. Pass the history before the
 * messages, each in chronological order.
 */
export function createReplay(stages: { saved: readonly StageKeywords[]; edited: readonly StageKeywords[] }) {
  const saved = sideOf(stages.saved);
  const edited = sideOf(stages.edited);
  const known = new Map<string, Lead>();
  const found = new Map<StageMatch, FoundInside>();
  const changes: PastChange[] = [];
  let scanned = 0;
  let changesTotal = 0;

  const leadOf = ({ leadId, present }: PastMessage): Lead => {
    const lead = known.get(leadId) ?? {
      saved: present,
      edited: present,
      hands: [],
      next: 0,
      entry: null,
      hasEntered: false,
    };
    known.set(leadId, lead);
    return lead;
  };
  /** The stage was deleted since: its leads are in the first stage. */
  const standing = (side: Side, stage: string | null): string | null =>
    stage === null || side.orderOf.has(stage) ? stage : side.first;
  const moveBy = (side: Side, match: StageMatch | null, from: string | null): string | null => {
    if (match === null || match.order <= (from === null ? 0 : (side.orderOf.get(from) ?? 0))) return null;
    side.moves += 1;
    return match.stageId;
  };
  const look = (match: StageMatch, text: string): void => {
    const { keyword, stageId } = match;
    const figures = found.get(match) ?? { keyword, stageId, word: "", times: 0, looked: 0 };
    if (figures.looked >= LOOKED_AT_MOST) return;
    found.set(match, figures);
    figures.looked += 1;
    const word = insideWord(text, keyword);
    if (word === null) return;
    figures.times += 1;
    figures.word ||= word;
  };

  return {
    /** A page of the history. */
    remember(moves: readonly PastMove[]): void {
      for (const move of moves) {
        const lead = known.get(move.leadId) ?? {
          saved: move.from,
          edited: move.from,
          hands: [],
          next: 0,
          entry: null,
          hasEntered: false,
        };
        known.set(move.leadId, lead);
        if (move.reason === "entered") lead.entry ??= move;
        else if (move.reason !== "keyword") lead.hands.push(move);
      }
    },
    /** A page of messages. */
    read(messages: readonly PastMessage[]): void {
      for (const message of messages) {
        scanned += 1;
        const lead = leadOf(message);
        if (lead.entry !== null) {
          const order = message.at - lead.entry.at || (message.messageId ?? Infinity) - (lead.entry.messageId ?? 0);
          if (order < 0) continue;
          if (!lead.hasEntered) [lead.saved, lead.edited, lead.hasEntered] = [saved.first, edited.first, true];
          if (order === 0) continue;
        }
        for (
          let hand = lead.hands[lead.next];
          hand !== undefined && hand.at <= message.at;
          hand = lead.hands[lead.next]
        ) {
          lead.saved = hand.to;
          lead.edited = hand.to;
          lead.next += 1;
        }
        const from = { saved: standing(saved, lead.saved), edited: standing(edited, lead.edited) };
        const by = { saved: saved.match(message.text), edited: edited.match(message.text) };
        if (by.edited !== null) look(by.edited, message.text);
        const to = { saved: moveBy(saved, by.saved, from.saved), edited: moveBy(edited, by.edited, from.edited) };
        lead.saved = to.saved ?? from.saved;
        lead.edited = to.edited ?? from.edited;
        const match = to.edited === null ? by.saved : by.edited;
        if (to.saved === to.edited || lead.saved === lead.edited || match === null) continue;
        changesTotal += 1;
        if (changes.length === LAB_MAX_LISTED) changes.shift();
        changes.push({
          leadId: message.leadId,
          at: message.at,
          text: message.text,
          keyword: match.keyword,
          from: from.saved,
          before: lead.saved,
          after: lead.edited,
        });
      }
    },
    /** Returns the result. */
    result: (): Replayed => ({
      scanned,
      before: saved.moves,
      after: edited.moves,
      changes: changes.toReversed(),
      changesTotal,
      inside: [...found.values()].filter(({ times }) => times > 0),
    }),
  };
}

/** A keyword as shown to users: without its quotes. */
export const nameOfKeyword = (keyword: string): string => readKeyword(keyword).text;
