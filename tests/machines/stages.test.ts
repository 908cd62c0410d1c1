import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, createActor, waitFor } from "xstate";
import { english } from "../support/english.ts";
import { type Stage, sortStages } from "../../domain/stage.ts";
import type { Page } from "../../src/machines/kit/page.ts";
import { NO_EDITS, rowsDraft } from "../../src/machines/stages/stages.draft.ts";
import {
  type StagesParts,
  createStages,
  selectDraft,
  selectHasEdits,
  selectIsUnsaved,
} from "../../src/machines/stages/stages.machine.ts";
import {
  type StageRow,
  findProblem,
  isNameShared,
  savedOrder,
  savedValues,
} from "../../src/machines/stages/stages.rows.ts";
import { HttpError } from "../../src/services/http.ts";
import { twoStages } from "../support/leads.ts";
import type { Invariants, Visit } from "../support/invariants.ts";
import { fakePage } from "../support/page.ts";
import { firstReadingInvariants, isCalling, shownReadingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { stagesMachine, stagesModel } from "./stages.model.ts";

type Table = ContextFrom<typeof stagesMachine>;

const REFUSED = "Move its 3 leads first.";
const noOrders = (rows: Table["rows"]) => rows.map((row) => ({ ...row, order: null }));
const isUnchanged = ({ before, context }: Visit<Table>) => expect(context).toEqual(before);

const invariants: Invariants<typeof stagesMachine> = {
  ...firstReadingInvariants("", "fetchStages", { starts: ["done showAlert", "error showAlert"] }),
  ready: {
    after: {
      "done fetchStages": ({ event, before, context }) => {
        const typed = before.rows.filter(({ id }) => id === null);
        expect(context.rows.flatMap(({ id }) => id ?? [])).toEqual(event.output.map(({ id }: { id: string }) => id));
        expect(context.rows.length).toBeGreaterThanOrEqual(event.output.length + typed.length);
      },
      "error fetchStages": isUnchanged,
      "reading.refresh": isUnchanged,
      "reading.retry": isUnchanged,
      "edits.restore": ({ context }) => expect(context.rows.map(({ name }) => name)).toContain("Won"),
      "row.change": ({ event, before, context }) => {
        const rows = before.rows.map((row) => (row.key === event.key ? { ...row, ...event.change } : row));
        expect(context).toEqual({ ...before, rows, problem: null });
      },
      "row.choose": ({ event, before, context }) => {
        const typed = before.rows.find(({ key }) => key === "stage-1");
        const kept = context.rows.find(({ key }) => key === "stage-1");
        const name = event.version === "mine" ? typed?.name : typed?.saved?.name;
        expect([kept?.name ?? null, kept?.conflict]).toEqual([name ?? null, undefined]);
      },
      "row.add": ({ before, context }) => {
        const added = context.rows.at(-1);
        expect(context).toEqual({ ...before, rows: [...before.rows, added], focusedKey: added?.key });
        const order = Math.max(0, ...before.rows.map((row) => row.order ?? 0)) + 1;
        expect(added).toMatchObject({ id: null, name: "", keywords: "", color: "#999999", order, saved: null });
        expect(before.rows.map(({ key }) => key)).not.toContain(added?.key);
      },
      "row.move": ({ before, context }) => {
        const at = before.rows.findIndex(({ key }) => key === "stage-2");
        const moved = before.rows.toSpliced(at, 1).toSpliced(at - 1, 0, ...before.rows.slice(at, at + 1));
        expect(noOrders(context.rows)).toEqual(noOrders(moved));
        expect(context.rows.map(({ order }) => order)).toEqual(before.rows.map(({ order }) => order));
        expect(context.focusedKey).toEqual(null);
      },
      "done askConfirmation": ({ event, before, context }) => expect([event.output, context]).toEqual([false, before]),
      "error askConfirmation": isUnchanged,
      "done renumberStages": ({ event, context }) =>
        expect(context.rows.flatMap(({ id }) => id ?? [])).toEqual(event.output.map(({ id }: { id: string }) => id)),
      "error renumberStages": ({ before, context }) =>
        expect(context).toEqual({ ...before, rows: before.rows.filter(({ id }) => id !== "stage-2") }),
      "done showAlert": isUnchanged,
      "error showAlert": isUnchanged,
    },
    accepts: ({ rows }) => [
      "edits.restore",
      "row.add",
      "stages.save",
      ...(rows.some(({ key }) => key === "stage-1") ? ["row.change"] : []),
      ...(rows.some(({ key, conflict }) => key === "stage-1" && conflict !== undefined) ? ["row.choose"] : []),
      ...(rows.findIndex(({ key }) => key === "stage-2") > 0 ? ["row.move"] : []),
      ...(rows.some(({ id }) => id === "stage-2") ? ["row.delete"] : []),
    ],
  },
  ...shownReadingInvariants("ready.", "fetchStages", null, {
    starts: ["done showAlert", "error showAlert", "error renumberStages"],
    ends: ["done renumberStages", ...["askConfirmation", "showAlert"].flatMap((id) => [`done ${id}`, `error ${id}`])],
    keeps: ["edits.restore", "row.change", "row.choose", "row.add", "row.move"],
  }),
  saving: {
    after: ["stages.save", "done fetchCurrent"],
    holds: ({ context, calls }) => {
      expect(context.rows.filter(({ conflict }) => conflict !== undefined)).toEqual([]);
      expect(context).toMatchObject({ problem: null, refusal: null, undeleted: null });
      const saved = calls["saveStages"] as { key: string; stage: { name: string } }[];
      expect(saved.map(({ key, stage }) => [key, stage.name])).toEqual(
        context.rows.map(({ key, name }) => [key, name]),
      );
      expect(context.rows.map(({ name }) => name)).not.toContain("");
    },
  },
  merging: {
    after: { "done saveStages": ({ event }) => expect(event.output.failure.code).toEqual("stale") },
    holds: isCalling("fetchCurrent"),
  },
  // Never rests: what was merged is saved or asked about at once.
  merged: { after: [] },
  announcing: {
    after: {
      "stages.save": ({ before }) => expect(before.rows).toEqual([]),
      "done saveStages": ({ event }) => expect(event.output.failure).toEqual(null),
    },
    holds: isCalling("showAlert", { message: "✅ Stages saved" }),
  },
  confirmingDelete: {
    after: ["row.delete"],
    holds: ({ context, calls }) => {
      expect([context.deletingId, context.undeleted]).toEqual(["stage-2", null]);
      const saved = context.rows.flatMap((row) => row.saved ?? []);
      const stage = saved.find(({ id }) => id === "stage-2") ?? null;
      const target = saved.find(({ id }) => id !== "stage-2") ?? null;
      const message = "Are you sure you want to delete this stage?";
      expect(calls).toEqual({ askConfirmation: { message, stage, target } });
    },
  },
  deleting: {
    after: { "done askConfirmation": ({ event }) => expect(event.output).toEqual(true) },
    holds: isCalling("deleteStage", { id: "stage-2" }),
  },
  renumbering: { after: ["done deleteStage"], holds: isCalling("renumberStages") },
  alerting: {
    after: {
      "done fetchCurrent": ({ before, context }) =>
        expect(context.rows.map(({ name }) => name).filter((name) => name !== "")).toEqual(
          expect.arrayContaining(before.rows.slice(1).map(({ name }) => name)),
        ),
      "stages.save": ({ context }) => {
        if (context.rows.some(({ conflict }) => conflict !== undefined)) {
          expect(english(context.alert)).toContain("Choose which version to keep");
          return;
        }
        const nameless = context.rows.find(({ name }) => name === "");
        const message = "❌ Stage name is required.";
        expect([context.problem, context.alert]).toEqual([{ message, key: nameless?.key, field: "name" }, message]);
      },
    },
    holds: ({ context, calls }) => expect(calls).toEqual({ showAlert: { message: context.alert } }),
  },
  alertingFailure: {
    after: {
      "done saveStages": ({ event, context, effects }) => {
        expect(event.output.failure).not.toEqual(null);
        expect(effects).toEqual({ reportFailure: { what: "stages were not saved" } });
        expect([context.alert, context.refusal]).toEqual(["Failed to save stages", REFUSED]);
      },
      "error fetchCurrent": ({ context }) =>
        expect([context.alert, context.refusal]).toEqual([
          "Failed to save stages",
          "Not saved: this was changed elsewhere, and the current version could not be read. Try again.",
        ]),
      "error saveStages": ({ context }) =>
        expect([context.alert, context.refusal]).toEqual(["Failed to save stages", REFUSED]),
      "error deleteStage": ({ before, context }) =>
        expect(context).toEqual({ ...before, alert: REFUSED, undeleted: { id: "stage-2", words: REFUSED } }),
    },
    holds: ({ context, calls }) => expect(calls).toEqual({ showAlert: { message: context.alert } }),
  },
};

walkEveryPath(stagesMachine, stagesModel, invariants);

type StagesService = NonNullable<StagesParts["stages"]>;
type Options = { stored?: Stage[]; isConfirmed?: boolean; gateway?: Partial<StagesService> };

function startStages({ stored = [...twoStages], isConfirmed = true, gateway = {} }: Options = {}) {
  const calls: unknown[] = [];
  let comeBack = () => {};
  let tellRestored = () => {};
  const page: Page = {
    ...fakePage(),
    notifier: {
      alert: async (message) => void calls.push(`alert: ${english(message)}`),
      confirm: async (message) => {
        calls.push(`confirm: ${english(message)}`);
        return isConfirmed;
      },
      toast: (message) => calls.push(`toast: ${english(message)}`),
      warn: (message) => calls.push(`warn: ${english(message)}`),
    },
    logger: { warn: (what) => void calls.push(`log: ${what}`) },
  };
  const logic = createStages(page, {
    undoing: {
      offer: (id) => void calls.push(`undo: ${id}`),
      onRestored(listener) {
        tellRestored = () => listener(null);
        return () => {};
      },
    },
    stages: {
      list: async () => {
        calls.push("GET");
        return stored;
      },
      create: async (stage) => {
        calls.push(["POST", stage]);
        return { id: "stage-9" };
      },
      update: async (stage) => void calls.push(["PATCH", stage]),
      setOrder: async (change) => void calls.push(["PATCH", change]),
      remove: async ({ id }) => {
        calls.push(["DELETE", id]);
        stored = stored.filter((stage) => stage.id !== id);
      },
      readEffects: async () => ({ leads: 0, views: [] }),
      restore: () => Promise.reject(new Error("the undoing restores")),
      preview: async () => null,
      ...gateway,
    },
    onReturn(listener) {
      comeBack = listener;
      return () => {};
    },
  });
  const stages = createActor(logic).start();
  const isReady = () => waitFor(stages, (snapshot) => snapshot.matches("ready"));
  const rows = () => stages.getSnapshot().context.rows;
  /** The page comes back to stages that others have changed. */
  const returnTo = async (changed: Stage[]) => {
    stored = changed;
    comeBack();
    await waitFor(stages, (snapshot) => snapshot.matches({ ready: "current" }));
  };
  const restore = async (stage: Stage) => {
    stored = [...stored, stage];
    tellRestored();
    await waitFor(stages, (snapshot) => snapshot.matches({ ready: "current" }));
  };
  const draft = () => rowsDraft(page.drafts).read()?.rows ?? [];
  const keepDraft = () => {
    rowsDraft(page.drafts).write({ rows: selectDraft(stages.getSnapshot()) ?? "" }, NO_EDITS);
    return draft();
  };
  return {
    stages,
    logic,
    calls,
    isReady,
    returnTo,
    restore,
    keepDraft,
    draft,
    rows,
    names: () => rows().map((row) => row.name),
  };
}

describe("saving stages", () => {
  it("sends every stage in its order, new ones as new, says so, and reads them again", async () => {
    const { stages, calls, isReady } = startStages();
    await isReady();
    stages.send({ type: "row.add" });
    stages.send({
      type: "row.change",
      key: "new-1",
      change: { name: " Won ", keywords: ' paid , "thank you",, ', color: "#123456" },
    });
    stages.send({ type: "row.move", key: "new-1", step: -1 });
    stages.send({ type: "stages.save" });
    await waitFor(stages, (snapshot) => snapshot.matches("loading"));
    await isReady();
    expect(calls).toEqual([
      "GET",
      ["PATCH", { id: "stage-1", name: "Initial Contact", keywords: ["hello"], order: 1, color: "#999999" }],
      ["POST", { name: "Won", keywords: ["paid", '"thank you"'], order: 2, color: "#123456" }],
      [
        "PATCH",
        { id: "stage-2", name: "Interested", keywords: ["price", '"high intent"'], order: 3, color: "#0b6e5f" },
      ],
      "alert: ✅ Stages saved",
      "GET",
    ]);
    expect(selectHasEdits(stages.getSnapshot())).toEqual(false);
  });

  it("that fails half-way keeps what was saved and does not create a stage twice", async () => {
    let isOnline = false;
    const created: string[] = [];
    const stored = twoStages.slice(0, 1);
    const { stages, calls, isReady } = startStages({
      stored,
      gateway: {
        create: async ({ name, ...stage }) => {
          if (name === "Lost" && !isOnline) throw new HttpError(409, { message: "Lost is taken.", code: "taken" });
          created.push(name);
          stored.push({ ...stage, id: `id-${name}`, name });
          return { id: `id-${name}` };
        },
      },
    });
    await isReady();
    for (const [key, name] of [
      ["new-1", "Won"],
      ["new-2", "Lost"],
    ] as const) {
      stages.send({ type: "row.add" });
      stages.send({ type: "row.change", key, change: { name, keywords: name } });
    }
    stages.send({ type: "stages.save" });
    await isReady();
    expect(calls.slice(-2)).toEqual(["alert: Failed to save stages", "GET"]);
    expect(stages.getSnapshot().context.refusal).toEqual("Lost is taken.");
    isOnline = true;
    stages.send({ type: "stages.save" });
    await waitFor(stages, (snapshot) => snapshot.matches("loading"));
    expect(created).toEqual(["Won", "Lost"]);
  });

  it("of a name that is taken is told at the row's name, until that is changed", async () => {
    const words = "Another stage has that name already. Choose a different one.";
    const { stages, isReady } = startStages({
      gateway: { create: () => Promise.reject(new HttpError(409, { message: words, fields: { name: words } })) },
    });
    await isReady();
    stages.send({ type: "row.add" });
    stages.send({ type: "row.change", key: "new-1", change: { name: "Elsewhere", keywords: "far" } });
    stages.send({ type: "stages.save" });
    await isReady();
    const { problem, refusal } = stages.getSnapshot().context;
    expect([problem, refusal]).toEqual([{ message: words, key: "new-1", field: "name", words }, null]);
    stages.send({ type: "row.change", key: "new-1", change: { name: "INTERESTED " } });
    const { rows, problem: left } = stages.getSnapshot().context;
    expect([left, rows.map((row) => isNameShared(rows, row))]).toEqual([null, [false, false, true]]);
  });

  it("skips a row without an order", async () => {
    const { stages, calls, isReady } = startStages({ stored: [{ ...twoStages[0]!, order: null }, twoStages[1]!] });
    await isReady();
    stages.send({ type: "stages.save" });
    await waitFor(stages, (snapshot) => snapshot.matches("loading"));
    expect(calls.filter((call) => Array.isArray(call) && call[0] === "PATCH")).toHaveLength(1);
  });
});

describe("stages that were changed elsewhere", () => {
  /** A gateway whose list is at a version: a save that is based on an older one is refused. */
  function versioned(stored: Stage[]) {
    let [version, known] = [1, 0];
    const require = () => {
      if (known !== version)
        throw new HttpError(409, { code: "stale", message: "Changed elsewhere.", current: stored });
    };
    const gateway: Partial<StagesService> = {
      list: async () => {
        known = version;
        return stored;
      },
      update: async ({ id, ...stage }) => {
        require();
        stored = stored.map((one) => (one.id === id ? { ...one, ...stage } : one));
        known = version += 1;
      },
    };
    const changeElsewhere = (next: Stage[]) => {
      stored = next;
      version += 1;
    };
    return { gateway, changeElsewhere, stored: () => stored };
  }
  const [initial, interested] = twoStages as [Stage, Stage];
  const save = async ({ stages }: ReturnType<typeof startStages>) => {
    stages.send({ type: "stages.save" });
    await waitFor(stages, (snapshot) => snapshot.matches("alerting") || snapshot.matches("announcing"));
    await waitFor(stages, (snapshot) => snapshot.matches("ready"));
  };

  it("keep both edits when they are of different stages or fields", async () => {
    const server = versioned([...twoStages]);
    const page = startStages({ gateway: server.gateway });
    await page.isReady();
    page.stages.send({ type: "row.change", key: "stage-1", change: { name: "Mine" } });
    server.changeElsewhere([
      { ...initial, keywords: ["theirs"] },
      { ...interested, name: "Theirs" },
    ]);
    await save(page);
    expect(server.stored()).toMatchObject([
      { name: "Mine", keywords: ["theirs"] },
      { name: "Theirs", keywords: interested.keywords },
    ]);
    expect(page.calls.at(-1)).toEqual("alert: ✅ Stages saved");
  });

  it.each([
    { version: "mine", name: "Mine" },
    { version: "saved", name: "Theirs" },
  ] as const)("save $name where the user chose it for a name changed in both", async ({ version, name }) => {
    const server = versioned([...twoStages]);
    const page = startStages({ gateway: server.gateway });
    await page.isReady();
    page.stages.send({ type: "row.change", key: "stage-1", change: { name: "Mine", color: "#123456" } });
    server.changeElsewhere([{ ...initial, name: "Theirs" }, interested]);
    await save(page);
    expect(page.calls.at(-1)).toContain("Choose which version to keep");
    expect(page.rows()[0]).toMatchObject({ name: "Mine", conflict: "changed", saved: { name: "Theirs" } });
    expect(savedValues(page.rows()[0]!)?.map(english)).toEqual(["name “Theirs”", "color “#999999”"]);
    await save(page);
    expect(server.stored()[0]).toMatchObject({ name: "Theirs", color: "#999999" });
    expect(page.keepDraft()[0]).toMatchObject({ conflict: "changed" });
    page.stages.send({ type: "row.choose", key: "stage-1", version });
    await save(page);
    expect(server.stored()[0]).toMatchObject({ name });
    expect(selectHasEdits(page.stages.getSnapshot())).toEqual(false);
  });

  it("are not added again when they were deleted, unless the user keeps them", async () => {
    const server = versioned([...twoStages]);
    const page = startStages({ gateway: server.gateway });
    await page.isReady();
    page.stages.send({ type: "row.change", key: "stage-1", change: { name: "Mine" } });
    server.changeElsewhere([{ ...interested, order: 1 }]);
    await save(page);
    expect(page.rows().find(({ name }) => name === "Mine")).toMatchObject({ id: null, conflict: "deleted" });
    page.stages.send({ type: "row.choose", key: "stage-1", version: "saved" });
    await save(page);
    expect([page.names(), server.stored()]).toMatchObject([["Interested"], [{ id: "stage-2" }]]);
  });

  it.each([
    { version: "mine", order: ["stage-1", "stage-3", "stage-2"] },
    { version: "saved", order: ["stage-2", "stage-1", "stage-3"] },
  ] as const)("save the order the user chose when both tabs moved rows: $version", async ({ version, order }) => {
    const third: Stage = { ...interested, id: "stage-3", name: "Third", keywords: ["third"], order: 3 };
    const server = versioned([initial, interested, third]);
    const page = startStages({ gateway: server.gateway });
    await page.isReady();
    page.stages.send({ type: "row.move", key: "stage-3", step: -1 });
    const theirs = [{ ...interested, order: 1 }, { ...initial, order: 2 }, third];
    server.changeElsewhere(theirs);
    await save(page);
    expect(page.calls.at(-1)).toContain("Choose which version to keep");
    expect(server.stored()).toEqual(theirs);
    expect(page.keepDraft().flatMap(({ conflict }) => conflict ?? [])).toEqual(["moved"]);
    const { key } = page.rows().find(({ conflict }) => conflict === "moved")!;
    expect(savedOrder(page.rows())).toEqual("“Interested”, “Initial Contact”, “Third”");
    page.stages.send({ type: "row.choose", key, version });
    await save(page);
    expect(sortStages(server.stored()).map(({ id }) => id)).toEqual(order);
    expect(selectHasEdits(page.stages.getSnapshot())).toEqual(false);
  });

  it("keep moved places without a question when another tab moved none", async () => {
    const server = versioned([...twoStages]);
    const page = startStages({ gateway: server.gateway });
    await page.isReady();
    page.stages.send({ type: "row.move", key: "stage-2", step: -1 });
    server.changeElsewhere([{ ...initial, color: "#123456" }, interested]);
    await save(page);
    expect(sortStages(server.stored()).map(({ id }) => id)).toEqual(["stage-2", "stage-1"]);
  });

  it("are marked when the page comes back to them", async () => {
    const { stages, isReady, returnTo, rows } = startStages();
    await isReady();
    stages.send({ type: "row.change", key: "stage-1", change: { name: "Mine" } });
    await returnTo([{ ...initial, name: "Theirs" }, interested]);
    expect(rows()[0]).toMatchObject({ name: "Mine", conflict: "changed" });
    stages.send({ type: "row.change", key: "stage-1", change: { name: "Theirs" } });
    await returnTo([{ ...initial, name: "Theirs" }, interested]);
    expect(rows()[0]?.conflict).toEqual(undefined);
  });
});

const row = (key: string, name: string, keywords: string): StageRow => ({
  key,
  id: key,
  name,
  keywords,
  color: "#999999",
  order: 1,
  saved: null,
});

it("stages that were saved are unsaved no more, however they were typed", async () => {
  let isOnline = true;
  const { stages, isReady } = startStages({
    gateway: { list: () => (isOnline ? Promise.resolve(twoStages) : Promise.reject(new Error("offline"))) },
  });
  await isReady();
  stages.send({ type: "row.change", key: "stage-1", change: { name: " Hello ", keywords: "hello,hi" } });
  isOnline = false;
  stages.send({ type: "stages.save" });
  await waitFor(stages, (snapshot) => snapshot.matches("unread"));
  expect(selectIsUnsaved(stages.getSnapshot())).toEqual(false);
});

describe("leaving the screen", () => {
  it("in the middle of a save sends the rest all the same, and says how it ended", async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { stages, calls, isReady } = startStages({
      gateway: {
        update: async ({ id }) => {
          await gate;
          calls.push(`saved ${id}`);
        },
      },
    });
    await isReady();
    stages.send({ type: "row.change", key: "stage-2", change: { name: "Curious" } });
    expect(selectIsUnsaved(stages.getSnapshot())).toEqual(true);
    stages.send({ type: "stages.save" });
    expect(selectIsUnsaved(stages.getSnapshot())).toEqual(false);
    stages.stop();
    go();
    await vi.waitFor(() =>
      expect(calls.slice(1)).toEqual(["saved stage-1", "saved stage-2", "toast: ✅ Stages saved"]),
    );
  });
});

describe("coming back to the page", () => {
  const [first, second] = twoStages as [Stage, Stage];

  it("reads the stages anew, and never under an edit", async () => {
    const { stages, isReady, returnTo, rows } = startStages();
    await isReady();
    stages.send({ type: "row.change", key: "stage-1", change: { name: "Hello" } });
    stages.send({ type: "row.add" });
    await returnTo([
      { ...first, name: "Renamed", keywords: ["hello", "hi"] },
      { ...second, color: "#111111" },
      { ...second, id: "stage-3", name: "Third", order: 3 },
    ]);
    expect(rows().map(({ key, name, keywords, color, order }) => [key, name, keywords, color, order])).toEqual([
      ["stage-1", "Hello", "hello, hi", "#999999", 1],
      ["stage-2", "Interested", 'price, "high intent"', "#111111", 2],
      ["stage-3", "Third", 'price, "high intent"', "#0b6e5f", 3],
      ["new-1", "", "", "#999999", 4],
    ]);
  });

  it("keeps what was typed on a stage that is gone as a new one, and lets the others go", async () => {
    const { stages, isReady, returnTo, rows } = startStages();
    await isReady();
    stages.send({ type: "row.change", key: "stage-2", change: { name: "Curious" } });
    await returnTo([]);
    expect(rows().map(({ id, name, keywords }) => [id, name, keywords])).toEqual([
      [null, "Curious", 'price, "high intent"'],
    ]);
  });

  it("keeps places that were changed, also when a stage is deleted", async () => {
    const third = { ...second, id: "stage-3", name: "Third", order: 3 };
    const { stages, isReady, returnTo, names, rows } = startStages({ stored: [first, second, third] });
    await isReady();
    stages.send({ type: "row.move", key: "stage-3", step: -1 });
    await returnTo([first, second, third]);
    expect(names()).toEqual(["Initial Contact", "Third", "Interested"]);
    stages.send({ type: "row.delete", id: "stage-1" });
    await waitFor(stages, (snapshot) => snapshot.matches("renumbering"));
    await isReady();
    expect(rows().map(({ name, order }) => [name, order])).toEqual([
      ["Third", 1],
      ["Interested", 2],
    ]);
    expect(selectHasEdits(stages.getSnapshot())).toEqual(true);
  });

  it("keeps what was typed on a stage deleted elsewhere when another stage is deleted here", async () => {
    const third = { ...second, id: "stage-3", name: "Third", order: 3 };
    let stored = [first, second, third];
    const { stages, isReady, rows } = startStages({
      gateway: {
        list: async () => stored,
        remove: async ({ id }) => void (stored = stored.filter((stage) => stage.id !== id && stage.id !== "stage-2")),
      },
    });
    await isReady();
    stages.send({ type: "row.change", key: "stage-2", change: { keywords: "typed" } });
    stages.send({ type: "row.change", key: "stage-3", change: { keywords: "also typed" } });
    stages.send({ type: "row.delete", id: "stage-3" });
    await waitFor(stages, (snapshot) => snapshot.matches("renumbering"));
    await isReady();
    expect(rows().map(({ name, keywords, conflict }) => [name, keywords, conflict])).toEqual([
      ["Initial Contact", "hello", undefined],
      ["Interested", "typed", "deleted"],
    ]);
  });

  it("after a reload finds what was typed, without what has been saved meanwhile", async () => {
    const before = startStages();
    await before.isReady();
    before.stages.send({ type: "row.change", key: "stage-1", change: { name: "Hello" } });
    before.stages.send({ type: "row.add" });
    before.stages.send({ type: "row.change", key: "new-1", change: { name: "Won", keywords: "won" } });
    before.stages.send({ type: "row.move", key: "new-1", step: -1 });
    const draft = before.keepDraft();
    const won = { id: "stage-9", name: "Won", keywords: ["won"], color: "#999999", order: 3 };
    for (const [stored, expected] of [
      [twoStages, ["Hello", "Won", "Interested"]],
      [
        [...twoStages, won],
        ["Hello", "Interested", "Won"],
      ],
    ] as const) {
      const { stages, isReady, names } = startStages({ stored: [...stored] });
      await isReady();
      stages.send({ type: "edits.restore", rows: draft });
      expect([names(), selectHasEdits(stages.getSnapshot())]).toEqual([expected, true]);
    }
  });

  it("in the middle of a save waits for its end, and finds nothing typed that has been saved", async () => {
    const gate = Promise.withResolvers<void>();
    const { stages, logic, isReady, keepDraft, draft, calls } = startStages({
      gateway: { update: () => gate.promise },
    });
    await isReady();
    stages.send({ type: "row.change", key: "stage-1", change: { name: "Hello" } });
    keepDraft();
    stages.send({ type: "stages.save" });
    stages.stop();
    const again = createActor(logic).start();
    await Promise.resolve();
    expect([calls, draft()[0]?.name]).toEqual([["GET"], "Hello"]);
    gate.resolve();
    await waitFor(again, (snapshot) => snapshot.matches("ready"));
    expect([calls.filter((call) => call === "GET").length, draft()]).toEqual([2, []]);
  });
});

describe("what is checked before saving", () => {
  it.each([
    ["a blank name", [row("a", "A", ""), row("b", "  ", "x")], "❌ Stage name is required."],
    ["no keyword", [row("a", "A", '"half'), row("b", "B", " , ")], '❌ Stage "B" must have at least one keyword.'],
    [
      "a stray quote",
      [row("a", "A", "one"), row("b", "B", 'one, say "hi"')],
      '⚠️ Some keywords in stage "B" are malformed. Wrap phrases in quotes like: "high intent"',
    ],
    [
      "a phrase cut by its comma",
      [row("a", "A", '"high, intent"')],
      '⚠️ Some keywords in stage "A" are malformed. Wrap phrases in quotes like: "high intent"',
    ],
    [
      "a repeated keyword",
      [row("a", "A", "Price, hi"), row("b", "B", "price, hi, new")],
      "⚠️ Duplicate keywords found across stages: Price, hi",
    ],
  ])("refuses %s, in this order", (_fault, rows, message) => {
    expect(findProblem(rows)?.message).toEqual(message);
  });

  it("lets a quoted and an unquoted form of a word, and a repetition within one stage, pass", () => {
    expect(findProblem([row("a", "A", "price, price"), row("b", "B", '"price"')])).toEqual(null);
  });
});

describe("deleting a stage", () => {
  const SENTENCE = "Are you sure you want to delete this stage?";
  const HELD = "are held there: nothing is sent until you resume or move them.";

  it.each([
    [{ leads: 0, views: [] }, "stage-2", "Stage: Interested.\nIt has no leads.\nYou can undo this for 30 seconds."],
    [
      { leads: 1, views: ["Hot"] },
      "stage-2",
      `Stage: Interested.\nIts 1 lead moves to “Initial Contact” and is held there: nothing is sent until you resume or move it.\nThe saved view “Hot” keeps its filter on this stage and will show no leads.\nYou can undo this for 30 seconds.`,
    ],
    [
      { leads: 1_200, views: ["A", "B", "C"] },
      "stage-1",
      `Stage: Initial Contact.\nIts 1,200 leads move to “Interested” and ${HELD}\nThe saved views “A”, “B” and “C” keep their filter on this stage and will show no leads.\nYou can undo this for 30 seconds.`,
    ],
    [
      { leads: null, views: null },
      "stage-2",
      `Stage: Interested.\nIts leads move to “Initial Contact” and ${HELD}\nThe number of its leads could not be loaded.\nYou can undo this for 30 seconds.`,
    ],
  ])("says below the question what follows: %o", async (effects, id, detail) => {
    const { stages, calls, isReady } = startStages({
      isConfirmed: false,
      gateway: { readEffects: async () => effects },
    });
    await isReady();
    stages.send({ type: "row.delete", id });
    await isReady();
    expect(calls).toEqual(["GET", `confirm: ${SENTENCE}\n\n${detail}`]);
  });

  it("says that the last stage stays while it has leads", async () => {
    const { stages, calls, isReady } = startStages({
      stored: twoStages.slice(0, 1),
      isConfirmed: false,
      gateway: { readEffects: async () => ({ leads: 3, views: [] }) },
    });
    await isReady();
    stages.send({ type: "row.delete", id: "stage-1" });
    await isReady();
    expect(calls.at(-1)).toContain("It is the last stage. While it has leads, it cannot be deleted.");
  });

  it("offers Undo, also after the screen is left, and shows a restored stage in its place", async () => {
    const { stages, calls, isReady, names, restore } = startStages();
    await isReady();
    stages.send({ type: "row.delete", id: "stage-1" });
    await waitFor(stages, (snapshot) => snapshot.matches("renumbering"));
    await isReady();
    expect([calls.includes("undo: stage-1"), names()]).toEqual([true, ["Interested"]]);
    await restore(twoStages[0] as Stage);
    expect(names()).toEqual(["Initial Contact", "Interested"]);
    const other = startStages({ gateway: { remove: () => Promise.resolve() } });
    await other.isReady();
    other.stages.send({ type: "row.delete", id: "stage-1" });
    await waitFor(other.stages, (snapshot) => snapshot.matches("deleting"));
    other.stages.stop();
    await vi.waitFor(() => expect(other.calls).toContain("undo: stage-1"));
  });

  it("offers Undo and numbers the rest when the answer was lost but the stage is gone", async () => {
    let stored = [...twoStages];
    const { stages, calls, isReady, names, rows } = startStages({
      gateway: {
        list: async () => stored,
        remove: async ({ id }) => {
          stored = stored.filter((stage) => stage.id !== id);
          throw new HttpError(null, null);
        },
      },
    });
    await isReady();
    stages.send({ type: "row.delete", id: "stage-1" });
    await waitFor(stages, (snapshot) => snapshot.matches("deleting"));
    await isReady();
    expect([calls.slice(1), names()]).toEqual([
      ["undo: stage-1", ["PATCH", { id: "stage-2", order: 1 }]],
      ["Interested"],
    ]);
    expect(rows()[0]?.order).toEqual(1);
    expect(stages.getSnapshot().context.undeleted).toEqual(null);
  });

  it("asks, deletes, reads the rest and numbers it from 1", async () => {
    const { stages, calls, isReady, names } = startStages();
    await isReady();
    stages.send({ type: "row.delete", id: "stage-1" });
    await waitFor(stages, (snapshot) => snapshot.matches("renumbering"));
    await isReady();
    expect(calls).toEqual([
      "GET",
      `confirm: ${SENTENCE}\n\nStage: Initial Contact.\nIt has no leads.\nYou can undo this for 30 seconds.`,
      ["DELETE", "stage-1"],
      "undo: stage-1",
      "GET",
      ["PATCH", { id: "stage-2", order: 1 }],
    ]);
    expect(names()).toEqual(["Interested"]);
  });

  it.each([
    [
      "the server's words",
      new HttpError(409, { message: "It holds 3 leads." }),
      "It holds 3 leads.",
      "It holds 3 leads.",
    ],
    [
      "our own when there are none",
      new HttpError(null, null),
      "Failed to delete stage",
      "No response from the server. The stage may have been deleted.",
    ],
  ])("that fails is told in %s", async (_words, error, alert, words) => {
    const { stages, calls, isReady } = startStages({ gateway: { remove: () => Promise.reject(error) } });
    await isReady();
    stages.send({ type: "row.delete", id: "stage-1" });
    await waitFor(stages, (snapshot) => snapshot.matches("alertingFailure"));
    await isReady();
    expect(calls.slice(-2)).toEqual([`alert: ${alert}`, "GET"]);
    expect(stages.getSnapshot().context.undeleted).toEqual({ id: "stage-1", words });
    stages.send({ type: "row.delete", id: "stage-2" });
    expect(stages.getSnapshot().context.undeleted).toEqual(null);
  });
});

describe("rows", () => {
  it("change places by exchanging their order values, and stay at the ends", async () => {
    const { stages, isReady, names } = startStages({
      stored: [
        { ...twoStages[0]!, order: 3 },
        { ...twoStages[1]!, order: 7 },
      ],
    });
    await isReady();
    stages.send({ type: "row.move", key: "stage-1", step: -1 });
    expect(names()).toEqual(["Initial Contact", "Interested"]);
    stages.send({ type: "row.move", key: "stage-1", step: 1 });
    expect(stages.getSnapshot().context.rows.map(({ name, order }) => [name, order])).toEqual([
      ["Interested", 3],
      ["Initial Contact", 7],
    ]);
  });
});
