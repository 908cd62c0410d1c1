import { describe, expect, it } from "vitest";
import { english } from "../support/english.ts";
import type { Stage } from "../../domain/stage.ts";
import { deletionQuestion, planOf } from "../../src/machines/stages/stages.deletion.ts";
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
  blankRow,
  findProblem,
  isNameShared,
  rowsOf,
  savedOrder,
  savedValues,
  swapWithNeighbour,
  withChoice,
  withTyped,
} from "../../src/machines/stages/stages.rows.ts";
import { HttpError } from "../../src/services/http.ts";
import { twoStages } from "../support/leads.ts";
import {
  type ContextOf,
  confirmedInvariant,
  refreshableLoadInvariants,
  isCalling,
  isUnchanged,
  refreshableInvariants,
  walkEveryPath,
} from "../support/invariants.ts";
import { offline, unanswered } from "../support/model.ts";
import { recordingPage, returnToPage, settle, startJourney } from "../support/page.ts";
import { stagesModel } from "./stages.model.ts";

type Table = ContextOf<typeof stagesModel>;

const REFUSED = "Move its 3 leads first.";
const noOrders = (rows: Table["rows"]) => rows.map((row) => ({ ...row, order: null }));

walkEveryPath(stagesModel, {
  ...refreshableLoadInvariants("", "fetchStages", { starts: ["done showAlert", "error showAlert"] }),
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
        const edited = context.rows.find(({ key }) => key === "stage-1");
        const name = event.version === "mine" ? typed?.name : typed?.saved?.name;
        expect([edited?.name ?? null, edited?.conflict]).toEqual([name ?? null, undefined]);
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
  ...refreshableInvariants("ready.", "fetchStages", null, {
    starts: [
      "error renumberStages",
      ...["askConfirmation", "showAlert"].flatMap((id) => [`done ${id}`, `error ${id}`]),
    ],
    ends: ["done renumberStages"],
    keeps: ["edits.restore", "row.change", "row.choose", "row.add", "row.move"],
  }),
  saving: {
    after: ["stages.save", "done fetchCurrent"],
    holds: ({ context, calls }) => {
      expect(context.rows.filter(({ conflict }) => conflict !== undefined)).toEqual([]);
      expect(context).toMatchObject({ problem: null, refusal: null, undeleted: null });
      const saved = calls["saveStages"] as { key: string; stage: { name: string } }[];
      const sent = saved.flatMap(({ key, stage }) => [key, stage.name]);
      expect(sent).toEqual(context.rows.flatMap(({ key, name }) => [key, name]));
      expect(context.rows.map(({ name }) => name)).not.toContain("");
    },
  },
  merging: {
    after: { "done saveStages": ({ event }) => expect(event.output.failure.code).toEqual("stale") },
    holds: isCalling("fetchCurrent"),
  },
  // A transient state: a merge is saved at once, or the user is asked.
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
  deleting: confirmedInvariant("deleteStage", { id: "stage-2" }),
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
      "error deleteStage": ({ event, before, context }) => {
        const isRefused = event.error !== offline;
        const message = isRefused ? REFUSED : unanswered("The stage may have been deleted.");
        const alert = isRefused ? REFUSED : "Failed to delete stage";
        expect(context).toEqual({ ...before, alert, undeleted: { id: "stage-2", message } });
      },
    },
    holds: ({ context, calls }) => expect(calls).toEqual({ showAlert: { message: context.alert } }),
  },
});

type StagesService = NonNullable<StagesParts["stages"]>;
type Options = { stored?: Stage[]; gateway?: Partial<StagesService> };

const [first, second] = twoStages as [Stage, Stage];
const third: Stage = { ...second, id: "stage-3", name: "Third", keywords: ["third"], order: 3 };

async function startStages({ stored = [...twoStages], gateway = {} }: Options = {}) {
  const calls: unknown[] = [];
  let tellRestored = () => {};
  const notes = recordingPage(calls);
  const logic = createStages(notes, {
    undoing: {
      offer: (id) => void calls.push(`undo: ${id}`),
      onRestored: (listener) => ((tellRestored = () => listener(null)), () => {}),
    },
    stages: {
      list: async () => (calls.push("GET"), stored),
      create: async (stage) => (calls.push(["POST", stage]), { id: "stage-9" }),
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
  });
  const journey = startJourney(logic);
  await journey.go();
  const rows = () => journey.context().rows;
  const draft = () => rowsDraft(notes.drafts).read()?.rows ?? [];
  return {
    ...journey,
    logic,
    calls,
    rows,
    names: () => rows().map(({ name }) => name),
    hasEdits: () => selectHasEdits(journey.snapshot()),
    type: (key: string, change: Partial<Pick<StageRow, "name" | "keywords" | "color">>) =>
      journey.go({ type: "row.change", key, change }),
    move: (key: string, step: -1 | 1) => journey.go({ type: "row.move", key, step }),
    remove: (id: string) => journey.go({ type: "row.delete", id }),
    save: () => journey.go({ type: "stages.save" }),
    /** Returns to the page after the stages were changed elsewhere. */
    returnTo: (changed: Stage[]) => ((stored = changed), returnToPage()),
    restore: (stage: Stage) => ((stored = [...stored, stage]), tellRestored(), settle()),
    draft,
    keepDraft() {
      rowsDraft(notes.drafts).write({ rows: selectDraft(journey.snapshot()) ?? "" }, NO_EDITS);
      return draft();
    },
  };
}

describe("saving stages", () => {
  it("sends every stage in order, new ones as new, and reloads them", async () => {
    const page = await startStages();
    await page.go({ type: "row.add" });
    await page.type("new-1", { name: " Won ", keywords: ' paid , "thank you",, ', color: "#123456" });
    await page.move("new-1", -1);
    await page.save();
    expect(page.calls).toEqual([
      "GET",
      ["PATCH", first],
      ["POST", { name: "Won", keywords: ["paid", '"thank you"'], order: 2, color: "#123456" }],
      ["PATCH", { ...second, order: 3 }],
      "alert: ✅ Stages saved",
      "GET",
    ]);
    expect(page.hasEdits()).toEqual(false);
  });

  it("keeps what was saved before a failure, and creates no stage twice", async () => {
    let isOnline = false;
    const created: string[] = [];
    const stored = [first];
    const page = await startStages({
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
    await page.go({ type: "row.add" }, { type: "row.add" });
    await page.type("new-1", { name: "Won", keywords: "won" });
    await page.type("new-2", { name: "Lost", keywords: "lost" });
    await page.save();
    expect(page.calls.slice(-2)).toEqual(["alert: Failed to save stages", "GET"]);
    expect(page.context().refusal).toEqual("Lost is taken.");
    isOnline = true;
    await page.save();
    expect(created).toEqual(["Won", "Lost"]);
  });

  it("shows a taken name at the row until it is changed", async () => {
    const words = "Another stage has that name already. Choose a different one.";
    const create = () => Promise.reject(new HttpError(409, { message: words, fields: { name: words } }));
    const page = await startStages({ gateway: { create } });
    await page.go({ type: "row.add" });
    await page.type("new-1", { name: "Elsewhere", keywords: "far" });
    await page.save();
    const { problem, refusal } = page.context();
    expect([problem, refusal]).toEqual([{ message: words, key: "new-1", field: "name", fieldMessage: words }, null]);
    await page.type("new-1", { name: "INTERESTED " });
    const rows = page.rows();
    expect([page.context().problem, rows.map((row) => isNameShared(rows, row))]).toEqual([null, [false, false, true]]);
  });

  it("skips a row without an order", async () => {
    const { calls, save } = await startStages({ stored: [{ ...first, order: null }, second] });
    await save();
    expect(calls.filter((call) => Array.isArray(call))).toEqual([["PATCH", second]]);
  });

  it("leaves nothing unsaved, whatever was typed", async () => {
    let isOnline = true;
    const list = () => (isOnline ? Promise.resolve(twoStages) : Promise.reject(new Error("offline")));
    const page = await startStages({ gateway: { list } });
    await page.type("stage-1", { name: " Hello ", keywords: "hello,hi" });
    isOnline = false;
    await page.save();
    expect([page.snapshot().value, selectIsUnsaved(page.snapshot())]).toEqual(["loadFailed", false]);
  });

  it("completes after the user leaves the screen, and reports the outcome", async () => {
    const gate = Promise.withResolvers<void>();
    const update = ({ id }: { id: string }) => gate.promise.then(() => void page.calls.push(`saved ${id}`));
    const page = await startStages({ gateway: { update } });
    await page.type("stage-2", { name: "Curious" });
    expect(selectIsUnsaved(page.snapshot())).toEqual(true);
    await page.save();
    expect(selectIsUnsaved(page.snapshot())).toEqual(false);
    page.chart.stop();
    gate.resolve();
    await settle();
    expect(page.calls.slice(1)).toEqual(["saved stage-1", "saved stage-2", "toast: ✅ Stages saved"]);
  });
});

describe("stages changed elsewhere", () => {
  /** Returns the rows with an edit of one of them. */
  const typing = (key: string, edit: Partial<StageRow>, stages: readonly Stage[] = twoStages) =>
    rowsOf(stages).map((row) => (row.key === key ? { ...row, ...edit } : row));
  const three = [first, second, third];
  const added: StageRow = { ...blankRow(rowsOf(twoStages), "new-1"), name: "Won", keywords: "won" };
  const won = { id: "stage-9", name: "Won", keywords: ["won"], color: "#999999", order: 3 };
  const moved = swapWithNeighbour(rowsOf(three), "stage-3", -1);
  const theirOrder = [{ ...second, order: 1 }, { ...first, order: 2 }, third];
  const shownAs = (rows: readonly StageRow[]) =>
    rows.map(({ id, name, keywords, conflict }) => [id, name, keywords, conflict].filter(Boolean).join(": "));
  const [ONE, TWO] = ["stage-1: Initial Contact: hello", 'stage-2: Interested: price, "high intent"'];

  it.each<{ what: string; stages: Stage[]; typed: StageRow[]; rows: string[] }>([
    {
      what: "both edits where they are of different stages or fields",
      stages: [
        { ...first, keywords: ["theirs"] },
        { ...second, name: "Theirs" },
      ],
      typed: typing("stage-1", { name: "Mine" }),
      rows: ["stage-1: Mine: theirs", 'stage-2: Theirs: price, "high intent"'],
    },
    {
      what: "an edit of a field that was changed elsewhere, as a conflict",
      stages: [{ ...first, name: "Theirs" }, second],
      typed: typing("stage-1", { name: "Mine" }),
      rows: ["stage-1: Mine: hello: changed", TWO],
    },
    {
      what: "no conflict when both changes are equal",
      stages: [{ ...first, name: "Theirs" }, second],
      typed: typing("stage-1", { name: "Theirs", conflict: "changed" }),
      rows: ["stage-1: Theirs: hello", TWO],
    },
    {
      what: "edits of a deleted stage as a new stage, and drop other deleted ones",
      stages: [{ ...third, order: 1 }],
      typed: typing("stage-1", { name: "Mine" }),
      rows: ["stage-3: Third: third", "Mine: hello: deleted"],
    },
    {
      what: "new rows after the last",
      stages: three,
      typed: [...rowsOf(twoStages), added],
      rows: [ONE, TWO, "stage-3: Third: third", "Won: won"],
    },
    {
      what: "no new row that has become a stage",
      stages: [first, second, won],
      typed: [...rowsOf(twoStages), added],
      rows: [ONE, TWO, "stage-9: Won: won"],
    },
    {
      what: "moved rows when none moved elsewhere",
      stages: [{ ...first, color: "#123456" }, second, third],
      typed: moved,
      rows: [ONE, "stage-3: Third: third", TWO],
    },
    {
      what: "moved rows when a stage was deleted",
      stages: [second, third],
      typed: moved,
      rows: ["stage-3: Third: third", TWO],
    },
    {
      what: "moved rows as a conflict when some moved elsewhere",
      stages: theirOrder,
      typed: moved,
      rows: [`${ONE}: moved`, "stage-3: Third: third", TWO],
    },
  ])("keep $what", ({ stages, typed, rows }) => {
    const merged = withTyped(stages, typed);
    expect(shownAs(merged)).toEqual(rows);
    expect(merged.map(({ order }) => order)).toEqual(merged.map((_, index) => index + 1));
  });

  it.each([
    { version: "mine", order: ["stage-1", "stage-3", "stage-2"] },
    { version: "saved", order: ["stage-2", "stage-1", "stage-3"] },
  ] as const)("get the order that the user chooses when both moved rows: $version", ({ version, order }) => {
    const rows = withTyped(theirOrder, moved);
    expect(savedOrder(rows)).toEqual(["Interested", "Initial Contact", "Third"]);
    const chosen = withChoice(rows, "stage-1", version);
    expect(chosen.map(({ id, conflict }) => [id, conflict])).toEqual(order.map((id) => [id, undefined]));
  });

  it.each([
    { version: "mine", name: "Mine" },
    { version: "saved", name: "Theirs" },
  ] as const)("save the name that the user chooses when both renamed it: $name", async ({ version, name }) => {
    // The server refuses a save that is based on an older version.
    let [stored, newest, known] = [[...twoStages], 1, 0];
    const page = await startStages({
      gateway: {
        list: async () => ((known = newest), stored),
        update: async ({ id, ...stage }) => {
          if (known !== newest) throw new HttpError(409, { code: "stale", message: "Changed.", current: stored });
          stored = stored.map((one) => (one.id === id ? { ...one, ...stage } : one));
          known = newest += 1;
        },
      },
    });
    await page.type("stage-1", { name: "Mine", color: "#123456" });
    [stored, newest] = [[{ ...first, name: "Theirs" }, second], 2];
    await page.save();
    expect(page.calls.at(-1)).toContain("Choose which version to keep");
    expect(page.rows()[0]).toMatchObject({ name: "Mine", conflict: "changed", saved: { name: "Theirs" } });
    expect(savedValues(page.rows()[0]!)?.map(english)).toEqual(["name “Theirs”", "color “#999999”"]);
    await page.save();
    expect(stored[0]).toMatchObject({ name: "Theirs", color: "#999999" });
    expect(page.keepDraft()[0]).toMatchObject({ conflict: "changed" });
    await page.go({ type: "row.choose", key: "stage-1", version }, { type: "stages.save" });
    expect([stored[0]?.name, page.hasEdits()]).toEqual([name, false]);
  });
});

describe("coming back to the page", () => {
  it("reloads the stages, but never over an edit", async () => {
    const { type, returnTo, rows } = await startStages();
    await type("stage-1", { name: "Hello" });
    await returnTo([
      { ...first, name: "Renamed" },
      { ...second, color: "#111111" },
    ]);
    expect(rows()).toMatchObject([{ name: "Hello", conflict: "changed" }, { color: "#111111" }]);
  });

  it("keeps edits of a stage deleted elsewhere when another stage is deleted here", async () => {
    let stored = [first, second, third];
    const { type, remove, rows } = await startStages({
      gateway: { list: async () => stored, remove: async () => void (stored = [first]) },
    });
    await type("stage-2", { keywords: "typed" });
    await type("stage-3", { keywords: "also typed" });
    await remove("stage-3");
    expect(rows().map(({ name, keywords, conflict }) => [name, keywords, conflict])).toEqual([
      ["Initial Contact", "hello", undefined],
      ["Interested", "typed", "deleted"],
    ]);
  });

  it("restores edits after a reload", async () => {
    const before = await startStages();
    await before.type("stage-1", { name: "Hello" });
    await before.go({ type: "row.add" });
    await before.type("new-1", { name: "Won", keywords: "won" });
    await before.move("new-1", -1);
    const { go, names, hasEdits } = await startStages();
    await go({ type: "edits.restore", rows: before.keepDraft() });
    expect([names(), hasEdits()]).toEqual([["Hello", "Won", "Interested"], true]);
  });

  it("waits for a running save, and restores no edit that was saved", async () => {
    const gate = Promise.withResolvers<void>();
    const { chart, logic, type, save, keepDraft, draft, calls } = await startStages({
      gateway: { update: () => gate.promise },
    });
    await type("stage-1", { name: "Hello" });
    keepDraft();
    await save();
    chart.stop();
    const again = startJourney(logic);
    await again.go();
    expect([calls, draft()[0]?.name]).toEqual([["GET"], "Hello"]);
    gate.resolve();
    await settle();
    expect([again.snapshot().matches("ready"), calls.filter((call) => call === "GET"), draft()]).toEqual([
      true,
      ["GET", "GET"],
      [],
    ]);
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
const MALFORMED = 'are malformed. Wrap phrases in quotes like: "high intent"';

it.each([
  ["a blank name", [row("a", "A", ""), row("b", "  ", "x")], "❌ Stage name is required."],
  ["no keyword", [row("a", "A", '"half'), row("b", "B", " , ")], '❌ Stage "B" must have at least one keyword.'],
  [
    "a stray quote",
    [row("a", "A", "one"), row("b", "B", 'one, say "hi"')],
    `⚠️ Some keywords in stage "B" ${MALFORMED}`,
  ],
  ["a phrase cut by its comma", [row("a", "A", '"high, intent"')], `⚠️ Some keywords in stage "A" ${MALFORMED}`],
  [
    "a repeated keyword",
    [row("a", "A", "Price, hi"), row("b", "B", "price, hi, new")],
    "⚠️ Duplicate keywords found across stages: Price, hi",
  ],
  [
    "nothing: a word once quoted, or twice in one stage",
    [row("a", "A", "price, price"), row("b", "B", '"price"')],
    undefined,
  ],
])("refuses %s, in this order", (_fault, rows, message) => expect(findProblem(rows)?.message).toEqual(message));

describe("deleting a stage", () => {
  const SENTENCE = "Are you sure you want to delete this stage?";
  const HELD = "are held there: nothing is sent until you resume or move them.";
  const UNDO = "You can undo this for 30 seconds.";

  it.each([
    [{ leads: 0, views: [] }, "stage-2", `Stage: Interested.\nIt has no leads.\n${UNDO}`],
    [
      { leads: 1, views: ["Hot"] },
      "stage-2",
      `Stage: Interested.\nIts 1 lead moves to “Initial Contact” and is held there: nothing is sent until you resume or move it.\nThe saved view “Hot” keeps its filter on this stage and will show no leads.\n${UNDO}`,
    ],
    [
      { leads: 1_200, views: ["A", "B", "C"] },
      "stage-1",
      `Stage: Initial Contact.\nIts 1,200 leads move to “Interested” and ${HELD}\nThe saved views “A”, “B” and “C” keep their filter on this stage and will show no leads.\n${UNDO}`,
    ],
    [
      { leads: null, views: null },
      "stage-2",
      `Stage: Interested.\nIts leads move to “Initial Contact” and ${HELD}\nThe number of its leads could not be loaded.\n${UNDO}`,
    ],
    [
      { leads: 3, views: [] },
      "only",
      `Stage: Interested.\nIt is the last stage. While it has leads, it cannot be deleted.\n${UNDO}`,
    ],
  ])("describes the consequences in the dialog: %o", (effects, id, detail) => {
    const rows = rowsOf(id === "only" ? [{ ...second, id }] : twoStages);
    expect(english(deletionQuestion(planOf(rows, id), effects))).toEqual(`${SENTENCE}\n\n${detail}`);
  });

  it("asks, deletes, numbers the rest from 1, and shows a restored stage in its place", async () => {
    const { calls, remove, names, restore } = await startStages();
    await remove("stage-1");
    expect(calls).toEqual([
      "GET",
      `confirm: ${SENTENCE}\n\nStage: Initial Contact.\nIt has no leads.\n${UNDO}`,
      ["DELETE", "stage-1"],
      "undo: stage-1",
      "GET",
      ["PATCH", { id: "stage-2", order: 1 }],
    ]);
    expect(names()).toEqual(["Interested"]);
    await restore(first);
    expect(names()).toEqual(["Initial Contact", "Interested"]);
  });

  it("offers Undo also after the user leaves the screen", async () => {
    const gate = Promise.withResolvers<void>();
    const { chart, calls, remove } = await startStages({ gateway: { remove: () => gate.promise } });
    await remove("stage-1");
    chart.stop();
    gate.resolve();
    await settle();
    expect(calls).toContain("undo: stage-1");
  });

  it("offers Undo and numbers the rest after a lost response", async () => {
    let stored = [first, second];
    const { calls, remove, rows, context } = await startStages({
      gateway: {
        list: async () => stored,
        remove: async () => {
          stored = [second];
          throw new HttpError(null, null);
        },
      },
    });
    await remove("stage-1");
    expect(calls.slice(1)).toEqual(["undo: stage-1", ["PATCH", { id: "stage-2", order: 1 }]]);
    expect(rows().map(({ name, order }) => `${order}. ${name}`)).toEqual(["1. Interested"]);
    expect(context().undeleted).toEqual(null);
  });
});

it("swaps the order values of neighbouring rows, and stops at the ends", () => {
  const rows = rowsOf([first, second].map((stage, place) => ({ ...stage, order: place * 4 + 3 })));
  const places = (step: -1 | 1) =>
    swapWithNeighbour(rows, "stage-1", step)
      .flatMap(({ key, order }) => [key, order])
      .join();
  expect([places(-1), places(1)]).toEqual(["stage-1,3,stage-2,7", "stage-2,3,stage-1,7"]);
});
