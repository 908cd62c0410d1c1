import { describe, expect, it } from "vitest";
import type { UiText } from "../../domain/ui-text.ts";
import { english } from "../support/english.ts";
import { previewOf, readPreview } from "../../src/machines/lead-import/csv-preview.ts";
import { createLeadImport } from "../../src/machines/lead-import/lead-import.machine.ts";
import { type VisitOf, isCalling, walkEveryPath } from "../support/invariants.ts";
import { failureText } from "../support/model.ts";
import { fakePage, startJourney } from "../support/page.ts";
import { file, leadImportModel } from "./lead-import.model.ts";

type Visited = VisitOf<typeof leadImportModel>;
const chooses = ({ context, event, isIn }: Visited) => {
  expect(context).toEqual({ file: event.file, fields: {}, preview: null, mapping: {}, result: null, problem: null });
  expect(isIn("readingHead")).toEqual(event.file !== null);
};
const stores = ({ context, before, event }: Visited) =>
  expect(context).toEqual({ ...before, result: event.output, problem: null });

walkEveryPath(leadImportModel, {
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
  readingHead: { after: { "file.choose": chooses }, holds: isCalling("readHead", { file }) },
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
      "error runImport": ({ context, before, effects, event }) => {
        const problem = failureText(
          event,
          "The file may have been imported. Check it again to see what is left to change.",
        );
        expect(context).toEqual({ ...before, result: null, problem });
        expect(effects).toHaveProperty("reportChange");
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
        expect(visit.effects).toHaveProperty("reportChange");
      },
    },
  },
});

describe("a file's first rows", () => {
  it("parse quotes, line breaks in cells, semicolons and a byte order mark", () => {
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

  it.each([
    [
      "in UTF-16",
      [0xff, 0xfe, 0x6e, 0, 0x61, 0],
      "This file is in UTF-16, as Excel’s ‘Unicode Text’ is. Save it as CSV in UTF-8 and choose it again.",
    ],
    [
      "a picture",
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      "This is not a CSV file. Choose a CSV file, such as a spreadsheet saved as CSV in UTF-8.",
    ],
    [
      "in Windows-1251",
      [0x6e, 0x2c, 0xcf, 0xf0, 0xe8, 0x0a],
      "This file is not in UTF-8. Save it as CSV in UTF-8 and choose it again.",
    ],
  ])("are refused with a message when the file is %s", (_what, bytes, message) =>
    expect(readPreview(new File([new Uint8Array(bytes)], "x.csv"))).rejects.toMatchObject({
      problem: expect.toSatisfy((problem: UiText) => english(problem) === message),
    }),
  );
});

it("maps an export's columns to one target each, with one that identifies people", async () => {
  const logic = createLeadImport(fakePage(), {
    onImported: () => {},
    leads: { importFile: () => Promise.reject(new Error("offline")) },
  });
  const { go, context } = startJourney(logic);
  const choose = async (text: string, fields = {}) => {
    await go({ type: "file.choose", file: new File([text], "leads.csv"), fields });
    return context().mapping;
  };
  expect(await choose("telegram_user_id,username,City\n5001,ada,Oslo\n", { City: "field.f1" })).toEqual({
    telegram_user_id: "telegram_user_id",
    City: "field.f1",
  });
  expect(await choose("a,b\n1,2\n")).toEqual({});
  await go(...["a", "b"].map((header) => ({ type: "mapping.change", header, target: "username" }) as const));
  expect(context().mapping).toEqual({ b: "username" });
});
