import { parentPort, workerData } from "node:worker_threads";
import { excerptOf } from "../../domain/keyword-excerpt.ts";
import type { KeywordChange, KeywordOverlap, KeywordWarning } from "../../domain/keyword-lab.ts";
import { keywordWarningMessage, overlapsOf, warningsOf } from "../../domain/keyword-lint.ts";
import { createReplay, nameOfKeyword, type PastMessage, type PastMove } from "../../domain/keyword-replay.ts";
import type { StageKeywords } from "../../domain/keywords.ts";
import { inEnglish } from "../core/languages.ts";

export type LabStages = { saved: StageKeywords[]; edited: StageKeywords[] };
/** Pages are JSON from Postgres; this thread parses them, to keep the server's thread free. */
export type LabRequest = { kind: "history" | "messages"; json: string } | { kind: "finish" };
export type LabReport = {
  scanned: number;
  before: number;
  after: number;
  changes: Omit<KeywordChange, "name">[];
  changes_total: number;
  overlaps: KeywordOverlap[];
  overlaps_total: number;
  warnings: KeywordWarning[];
};
type HistoryLine = [
  leadId: string,
  at: number,
  from: string | null,
  to: string | null,
  reason: string,
  messageId: number | null,
];
type MessageLine = [leadId: string, present: string | null, at: number, messageId: number | null, text: string];

const stages = workerData as LabStages;
const replay = createReplay(stages);

const movesIn = (json: string): PastMove[] =>
  (JSON.parse(json) as HistoryLine[]).map(([leadId, at, from, to, reason, messageId]) => ({
    leadId,
    at,
    from,
    to,
    reason,
    messageId,
  }));
const messagesIn = (json: string): PastMessage[] =>
  (JSON.parse(json) as MessageLine[]).map(([leadId, present, at, messageId, text]) => ({
    leadId,
    present,
    at,
    messageId,
    text,
  }));

function report(): LabReport {
  const { changes, changesTotal, inside, ...figures } = replay.result();
  const { overlaps, total } = overlapsOf(stages.edited);
  return {
    ...figures,
    changes: changes.map(({ leadId, at, text, keyword, from, before, after }) => ({
      lead_id: leadId,
      at: new Date(at).toISOString(),
      ...excerptOf(text, keyword),
      keyword: nameOfKeyword(keyword),
      from,
      before,
      after,
    })),
    changes_total: changesTotal,
    overlaps,
    overlaps_total: total,
    warnings: [
      ...warningsOf(stages.edited),
      ...inside.map(({ keyword, stageId, word, times }) => ({
        keyword: nameOfKeyword(keyword),
        stage: stageId,
        code: "inside_words" as const,
        words_params: { keyword: nameOfKeyword(keyword), word, times },
      })),
    ].map((warning) => ({ ...warning, words: inEnglish(keywordWarningMessage(warning)) })),
  };
}

parentPort?.on("message", (request: LabRequest) => {
  if (request.kind === "history") replay.remember(movesIn(request.json));
  else if (request.kind === "messages") replay.read(messagesIn(request.json));
  parentPort?.postMessage(request.kind === "finish" ? report() : null);
});
