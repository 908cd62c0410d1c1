import type { KeywordPreview } from "../../domain/keyword-lab.ts";
import type { StageDraft } from "../../domain/stage.ts";
import { createKeywordLab } from "../../src/machines/keyword-lab/keyword-lab.machine.ts";
import { done, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const words: StageDraft[] = [
  { id: "stage-1", name: "Initial Contact", keywords: ["hi"], order: 1 },
  { name: "Interested", keywords: ["price"], order: 2 },
];
const editedWords: StageDraft[] = [{ id: "stage-1", name: "Initial Contact", keywords: ["hello"], order: 1 }];

export const preview: KeywordPreview = {
  scanned: 1200,
  since: "2025-12-05T10:00:00.000Z",
  before: 3,
  after: 5,
  changes: [
    {
      lead_id: "lead-1",
      name: "Ada",
      at: "2026-03-05T10:00:00.000Z",
      excerpt: "What is the <b>price</b>?",
      matched: { start: 15, length: 5 },
      keyword: "price",
      from: "stage-1",
      before: "stage-1",
      after: "new-2",
    },
  ],
  changes_total: 4,
  overlaps: [{ keyword: "prices", stage: "new-2", other: "price", other_stage: "stage-1", kind: "contains" }],
  overlaps_total: 1,
  warnings: [{ keyword: "hi", stage: "stage-1", code: "short", words: "It stands inside many words." }],
};

export const keywordLabModel = modelOf(createKeywordLab(fakePage()), {
  input: { words },
  events: [
    { type: "words.edited", words: editedWords },
    { type: "words.edited", words },
    { type: "words.edited", words: [] },
    ...done("tryWords", preview, null),
  ],
});
