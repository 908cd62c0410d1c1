import { expect, it } from "vitest";
import { rowsOf, wordsOf } from "../../src/machines/stages/stages.rows.ts";
import { type VisitOf, isCalling, walkEveryPath } from "../support/invariants.ts";
import { keywordLabModel, preview, words } from "./keyword-lab.model.ts";

type Visited = VisitOf<typeof keywordLabModel>;
const edits = ({ context, before, event }: Visited) => expect(context).toEqual({ ...before, words: event.words });
const stores = ({ context, before, event }: Visited) => expect(context).toEqual({ ...before, preview: event.output });

walkEveryPath(keywordLabModel, {
  "*": { accepts: ["words.edited"] },
  idle: {
    accepts: ({ words: now }) => (now.length > 0 ? ["lab.try"] : []),
    after: {
      start: ({ context }) => expect(context).toEqual({ words, tried: [], preview: null, problem: null }),
      "words.edited": edits,
      "lab.close": ({ context, before }) => expect(context).toEqual({ ...before, preview: null, problem: null }),
    },
  },
  trying: {
    accepts: ["lab.close"],
    after: {
      "lab.try": ({ context, before }) => expect(context).toEqual({ ...before, tried: before.words, problem: null }),
      "words.edited": edits,
    },
    holds: ({ context, calls }) => isCalling("tryWords", { stages: context.tried })({ calls }),
  },
  judging: { after: [] },
  shown: {
    accepts: ["lab.try", "lab.close"],
    after: { "done tryWords": stores, "words.edited": edits },
    holds: ({ context }) => expect(context).toMatchObject({ words: context.tried, preview }),
  },
  stale: {
    accepts: ({ words: now }) => [...(now.length > 0 ? ["lab.try"] : []), "lab.close"],
    after: { "done tryWords": stores, "words.edited": edits },
    holds: ({ context }) => expect(context.words).not.toEqual(context.tried),
  },
  loadFailed: {
    accepts: ({ words: now }) => [...(now.length > 0 ? ["lab.try"] : []), "lab.close"],
    after: {
      "error tryWords": ({ context, before }) =>
        expect(context).toEqual({ ...before, problem: "The words could not be tried." }),
      "words.edited": edits,
    },
  },
  absent: { after: { "done tryWords": stores, "words.edited": edits } },
});

it("tries the keywords that a save would send", () => {
  const saved = rowsOf([{ id: "s1", name: "New", color: "#999999", order: 1, keywords: ["hi", '"a b"'] }]);
  const blank = { key: "new-1", id: null, name: " ", keywords: "x", color: "#999999", order: 2, saved: null };
  expect(wordsOf([...saved, blank, { ...blank, key: "new-2", name: " Hot ", order: 3 }])).toEqual([
    { id: "s1", name: "New", keywords: ["hi", '"a b"'], order: 1 },
    { name: "Hot", keywords: ["x"], order: 3 },
  ]);
});
