import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, createActor } from "xstate";
import {
  type ImportRequest,
  createLeadImport,
  leadImportMachine,
  previewOf,
} from "../../src/machines/lead-import/index.ts";
import type { Visit } from "../support/invariants.ts";
import { unanswered } from "../support/model-events.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { file, leadImportModel } from "./lead-import.model.ts";

type Visited = Visit<ContextFrom<typeof leadImportMachine>>;
const chooses = ({ context, event, isIn }: Visited) => {
  expect(context).toEqual({ file: event.file, fields: {}, preview: null, mapping: {}, result: null, problem: null });
  expect(isIn("readingHead")).toEqual(event.file !== null);
};
const stores = ({ context, before, event }: Visited) =>
  expect(context).toEqual({ ...before, result: event.output, problem: null });

walkEveryPath(leadImportMachine, leadImportModel, {
  awaitingFile: {
    accepts: ["file.choose"],
    after: {
      start: null,
      "file.choose": chooses,
      "error readHead": ({ context, before }) =>
        expect(context).toEqual({
          ...before,
          problem: "The file could not be read. Choose a CSV file whose first row names the columns.",
        }),
    },
  },
  readingHead: {
    after: { "file.choose": chooses },
    holds: isCalling("readHead", { file }),
  },
  awaitingMapping: {
    accepts: ({ mapping }) => ["file.choose", "mapping.change", ...(mapping["username"] ? ["import.try"] : [])],
    after: {
      "done readHead": ({ context, before, event }) =>
        expect(context).toEqual({ ...before, preview: event.output, mapping: { username: "username" } }),
      "mapping.change": ({ context, before, event: { header, target } }) => {
        const { [header]: _, ...others } = before.mapping;
        const mapping = target === "" ? others : { ...others, [header]: target };
        expect(context).toEqual({ ...before, mapping, result: null, problem: null });
      },
      "error tryImport": ({ context, before }) =>
        expect(context).toEqual({ ...before, problem: "The file could not be checked. Nothing was changed." }),
      "error runImport": ({ context, before, effects }) => {
        const problem = unanswered("The file may have been imported. Check it again to see what is left to change.");
        expect(context).toEqual({ ...before, result: null, problem });
        expect(effects).toHaveProperty("tellOthers");
      },
    },
  },
  trying: {
    after: ["import.try"],
    holds: ({ context: { mapping }, calls }) => isCalling("tryImport", { file, mapping, isDryRun: true })({ calls }),
  },
  tried: {
    accepts: ({ result }) => ["file.choose", "mapping.change", ...(result?.changed ? ["import.run"] : [])],
    after: { "done tryImport": stores },
  },
  importing: {
    after: { "import.run": ({ before }) => expect(before.result?.changed).toEqual(1) },
    holds: ({ context: { mapping }, calls }) => isCalling("runImport", { file, mapping, isDryRun: false })({ calls }),
  },
  imported: {
    accepts: ["file.choose"],
    after: {
      "done runImport": (visit) => {
        stores(visit);
        expect(visit.effects).toHaveProperty("tellOthers");
      },
    },
  },
});

describe("a file's first rows", () => {
  it("are read with quotes, line breaks in cells, semicolons and a byte order mark", () => {
    expect(previewOf('\uFEFFName;"Say ""hi"""\r\nAda;"a;b\nc"\r\n\r\nBob;')).toEqual({
      header: ["Name", 'Say "hi"'],
      rows: [
        ["Ada", "a;b\nc"],
        ["Bob", ""],
      ],
    });
  });

  it("are twenty at most, and none without a header", () => {
    const text = ["id", ...Array.from({ length: 30 }, (_, index) => String(index))].join("\n");
    expect(previewOf(text)?.rows.map(([cell]) => cell)).toEqual(
      Array.from({ length: 20 }, (_, index) => String(index)),
    );
    expect(previewOf(" \n\n")).toEqual(null);
  });
});

function start(importFile: (request: ImportRequest) => Promise<never> | ReturnType<typeof answer>) {
  const requests: unknown[] = [];
  const logic = createLeadImport({
    leads: {
      importFile(request) {
        requests.push([request.mapping, request.isDryRun]);
        return importFile(request);
      },
    },
    onImported: () => requests.push("the list is read anew"),
    notifier: { toast: () => {}, warn: () => {} },
    logger: { warn: () => {} },
  });
  const chart = createActor(logic).start();
  const is = (step: string) => vi.waitFor(() => expect(chart.getSnapshot().value).toEqual(step));
  return { chart, requests, is };
}

const answer = async () => ({ matched: 2, changed: 1, unmatched: [], unmatchedTotal: 0, changes: [] });

describe("an import", () => {
  it("takes an export's columns for what they are, tries first and then changes", async () => {
    const { chart, requests, is } = start(answer);
    const file = new File(["telegram_user_id,username,City\n5001,ada,Oslo\n"], "leads.csv");
    chart.send({ type: "file.choose", file, fields: { City: "field.f1" } });
    await is("awaitingMapping");
    const guessed = { telegram_user_id: "telegram_user_id", City: "field.f1" };
    expect(chart.getSnapshot().context.mapping).toEqual(guessed);
    chart.send({ type: "import.try" });
    await is("tried");
    chart.send({ type: "import.run" });
    await is("imported");
    expect(requests).toEqual([[guessed, true], [guessed, false], "the list is read anew"]);
  });

  it("is not begun with a file of another kind or in another encoding, which is said at once", async () => {
    const utf16 = new Uint8Array([0xff, 0xfe, 0x6e, 0, 0x61, 0]);
    const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const cyrillic = new Uint8Array([0x6e, 0x2c, 0xcf, 0xf0, 0xe8, 0x0a]);
    for (const [bytes, words] of [
      [utf16, "This file is in UTF-16, as Excel’s ‘Unicode Text’ is. Save it as CSV in UTF-8 and choose it again."],
      [picture, "This is not a CSV file. Choose a CSV file, such as a spreadsheet saved as CSV in UTF-8."],
      [cyrillic, "This file is not in UTF-8. Save it as CSV in UTF-8 and choose it again."],
    ] as const) {
      const { chart } = start(answer);
      chart.send({ type: "file.choose", file: new File([bytes], "x.csv"), fields: {} });
      await vi.waitFor(() => expect(chart.getSnapshot().context.problem).toBe(words));
      expect(chart.getSnapshot().value).toBe("awaitingFile");
    }
  });

  it("has one column a target, and needs one by which people are found", async () => {
    const { chart, is } = start(answer);
    chart.send({ type: "file.choose", file: new File(["a,b\n1,2\n"], "x.csv"), fields: {} });
    await is("awaitingMapping");
    expect(chart.getSnapshot().can({ type: "import.try" })).toEqual(false);
    chart.send({ type: "mapping.change", header: "a", target: "username" });
    chart.send({ type: "mapping.change", header: "b", target: "username" });
    expect(chart.getSnapshot().context.mapping).toEqual({ b: "username" });
    expect(chart.getSnapshot().can({ type: "import.try" })).toEqual(true);
  });
});
