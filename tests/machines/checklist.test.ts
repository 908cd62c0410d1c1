import { expect, it, vi } from "vitest";
import { createActor } from "xstate";
import {
  type ChecklistDeps,
  STEPS,
  type Steps,
  checklistMachine,
  createChecklist,
  selectSteps,
} from "../../src/machines/checklist/index.ts";
import type { Invariants } from "../support/invariants.ts";
import { fakePage } from "../support/page.ts";
import { firstReadingInvariants, isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { checklistModel, stepsOf } from "./checklist.model.ts";

const isComplete = (steps: Steps | null) => steps !== null && STEPS.every((step) => steps[step]);
const isOpen = ({ context: { steps } }: { context: { steps: Steps | null } }) =>
  expect([steps === null, isComplete(steps)]).toEqual([false, false]);
const actions = ({ steps }: { steps: Steps | null }) => [
  "checklist.dismiss",
  "reading.refresh",
  ...(steps?.stages ? [] : ["stages.add"]),
];
const adds = ["done addStages", "error addStages"];

const invariants: Invariants<typeof checklistMachine> = {
  ...firstReadingInvariants("", "readSteps"),
  shown: { holds: isOpen, accepts: actions },
  "shown.current": { after: ["done readSteps", "error addStages", "error dismiss"] },
  "shown.refreshing": { after: ["reading.refresh", "reading.retry", ...adds], holds: isCalling("readSteps") },
  "shown.outdated": { after: ["error readSteps"], accepts: ["reading.retry"] },
  adding: {
    after: ["stages.add"],
    holds: (visit) => {
      isCalling("addStages")(visit);
      expect(visit.context).toEqual({ ...visit.before, problem: null });
    },
  },
  dismissing: { after: ["checklist.dismiss"], holds: isCalling("dismiss") },
  completing: {
    after: { "done readSteps": ({ context }) => expect(isComplete(context.steps)).toEqual(true) },
    holds: isCalling("complete"),
  },
  closed: {
    after: {
      "done readSteps": ({ context }) => expect(context.steps).toEqual(null),
      "done dismiss": null,
      "done complete": null,
      "error complete": null,
    },
  },
};

walkEveryPath(checklistMachine, checklistModel, invariants);

function start(parts: Partial<ChecklistDeps["checklist"]>) {
  const { notifier, logger, said } = fakePage();
  let tell = () => {};
  const logic = createChecklist({
    checklist: { readSteps: async () => stepsOf(), addStages: async () => {}, dismiss: async () => {}, ...parts },
    onNews: (listener) => {
      tell = listener;
      return () => {};
    },
    notifier,
    logger,
  });
  const chart = createActor(logic).start();
  const steps = () => selectSteps(chart.getSnapshot());
  return { chart, said, steps, tell: () => tell() };
}

it("closes when the last step is done, and says so to the server", async () => {
  let done = stepsOf("connect");
  const dismiss = vi.fn<() => Promise<void>>(async () => {});
  const { chart, steps, tell } = start({ readSteps: async () => done, dismiss });
  await vi.waitFor(() => expect(steps()).toEqual(stepsOf("connect")));
  done = stepsOf(...STEPS);
  tell();
  await vi.waitFor(() => expect(chart.getSnapshot().matches("closed")).toEqual(true));
  expect([steps(), dismiss.mock.calls.length]).toEqual([null, 1]);
});

it("adds the example stages once and ticks the step", async () => {
  let done = stepsOf();
  const addStages = vi.fn<() => Promise<void>>(async () => {
    done = stepsOf("stages");
  });
  const { chart, steps, said } = start({ readSteps: async () => done, addStages });
  await vi.waitFor(() => expect(steps()).toEqual(stepsOf()));
  chart.send({ type: "stages.add" });
  chart.send({ type: "stages.add" });
  await vi.waitFor(() => expect(steps()).toEqual(stepsOf("stages")));
  expect([addStages.mock.calls.length, said]).toEqual([1, ["Example stages added."]]);
});

it("reads the steps again when adding the stages has no response", async () => {
  const { chart, steps } = start({ addStages: () => Promise.reject(new Error("offline")) });
  await vi.waitFor(() => expect(steps()).toEqual(stepsOf()));
  chart.send({ type: "stages.add" });
  await vi.waitFor(() =>
    expect(chart.getSnapshot().context.problem).toEqual(
      "No response from the server. Some of the example stages may have been added.",
    ),
  );
  await vi.waitFor(() => expect(chart.getSnapshot().value).toEqual({ shown: "current" }));
});
