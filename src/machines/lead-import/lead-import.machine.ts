import { type SnapshotFrom, assign, setup } from "xstate";
import { withEvent, withOutput } from "../kit/payload.ts";
import { failed, problemOf } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import type { CsvPreview } from "./csv-preview.ts";
import {
  type ImportRequest,
  type ImportResult,
  type Mapping,
  IMPORT_FAILED,
  NOT_READ,
  NOT_TRIED,
  placeholderActors,
} from "./lead-import.actors.ts";

type LeadImportContext = {
  file: File | null;
  /** The person's own fields: what a column of that name is taken for. */
  fields: Readonly<Record<string, string>>;
  preview: CsvPreview | null;
  mapping: Mapping;
  result: ImportResult | null;
  problem: string | null;
};

const requestOf = ({ file, mapping }: LeadImportContext, isDryRun: boolean): ImportRequest => {
  if (file === null) throw new Error("no file was chosen");
  return { file, mapping, isDryRun };
};

/** An export's own headers say what they are; notes and tags keep their names too. */
function guessOf({ header }: CsvPreview, fields: Readonly<Record<string, string>>): Mapping {
  const known: Readonly<Record<string, string>> = {
    telegram_user_id: "telegram_user_id",
    username: "username",
    notes: "notes",
    tags: "tags",
  };
  const pairs = header.flatMap((name) => {
    const target = known[name.toLowerCase()] ?? fields[name];
    return target === undefined ? [] : [[name, target] as const];
  });
  const hasId = pairs.some(([, target]) => target === "telegram_user_id");
  // People are found by one of the two.
  return Object.fromEntries(pairs.filter(([, target]) => !(hasId && target === "username")));
}

/** A column has one target, and a target one column. */
function withTarget(mapping: Mapping, header: string, target: string): Mapping {
  const others = Object.entries(mapping).filter(([name, taken]) => name !== header && taken !== target);
  return Object.fromEntries(target === "" ? others : [...others, [header, target]]);
}

const leadImportSetup = setup({
  types: {
    context: {} as LeadImportContext,
    events: {} as
      | { type: "file.choose"; file: File | null; fields: Readonly<Record<string, string>> }
      | { type: "mapping.change"; header: string; target: string }
      | { type: "import.try" }
      | { type: "import.run" },
  },
  actors: placeholderActors,
  actions: {
    storeFile: assign((_, { file, fields }: { file: File | null; fields: Readonly<Record<string, string>> }) => ({
      file,
      fields,
      preview: null,
      mapping: {},
      result: null,
      problem: null,
    })),
    storePreview: assign(({ context }, { preview }: { preview: CsvPreview }) => ({
      preview,
      mapping: guessOf(preview, context.fields),
    })),
    storeTarget: assign(({ context }, { header, target }: { header: string; target: string }) => ({
      mapping: withTarget(context.mapping, header, target),
      result: null,
      problem: null,
    })),
    storeResult: assign((_, result: ImportResult) => ({ result, problem: null })),
    storeProblem: assign(problemOf),
    forgetResult: assign({ result: null }),
    tellOthers: () => {},
    reportFailure: unreported,
  },
  guards: {
    hasFile: (_, { file }: { file: File | null }) => file !== null,
    canFind: ({ context }) =>
      Object.values(context.mapping).some((target) => target === "telegram_user_id" || target === "username"),
    changesSomething: ({ context }) => (context.result?.changed ?? 0) > 0,
  },
});

type Choosing = { event: { file: File | null; fields: Readonly<Record<string, string>> } };

/** Another file, in every state that does nothing. */
const choosing = {
  "file.choose": [
    {
      guard: { type: "hasFile" as const, params: ({ event }: Choosing) => event },
      target: "#leadImport.readingHead" as const,
      actions: { type: "storeFile" as const, params: ({ event }: Choosing) => event },
    },
    {
      target: "#leadImport.awaitingFile" as const,
      actions: { type: "storeFile" as const, params: ({ event }: Choosing) => event },
    },
  ],
};

/** A CSV file goes in: columns are mapped, a dry run tells what would change, and only then something does. */
export const leadImportMachine = leadImportSetup.createMachine({
  id: "leadImport",
  context: { file: null, fields: {}, preview: null, mapping: {}, result: null, problem: null },
  initial: "awaitingFile",
  states: {
    awaitingFile: { on: choosing },
    readingHead: {
      invoke: {
        id: "readHead",
        src: "readHead",
        input: ({ context }) => ({ file: requestOf(context, true).file }),
        onDone: {
          target: "awaitingMapping",
          actions: { type: "storePreview", params: ({ event }) => ({ preview: event.output }) },
        },
        onError: { target: "awaitingFile", actions: failed(NOT_READ, "a file was not read") },
      },
    },
    awaitingMapping: {
      on: {
        ...choosing,
        "mapping.change": { actions: withEvent("storeTarget") },
        "import.try": { guard: "canFind", target: "trying" },
      },
    },
    trying: {
      invoke: {
        id: "tryImport",
        src: "tryImport",
        input: ({ context }) => requestOf(context, true),
        onDone: { target: "tried", actions: withOutput("storeResult") },
        onError: { target: "awaitingMapping", actions: failed(NOT_TRIED, "an import was not tried") },
      },
    },
    tried: {
      on: {
        ...choosing,
        "mapping.change": { target: "awaitingMapping", actions: withEvent("storeTarget") },
        "import.run": { guard: "changesSomething", target: "importing" },
      },
    },
    importing: {
      invoke: {
        id: "runImport",
        src: "runImport",
        input: ({ context }) => requestOf(context, false),
        onDone: { target: "imported", actions: [withOutput("storeResult"), "tellOthers"] },
        onError: {
          target: "awaitingMapping",
          actions: ["forgetResult", ...failed(IMPORT_FAILED, "a file was not imported"), "tellOthers"],
        },
      },
    },
    imported: { on: choosing },
  },
});

export type LeadImportSnapshot = SnapshotFrom<typeof leadImportMachine>;
