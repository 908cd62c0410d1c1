import { expect, it } from "vitest";
import { STEPS, type Steps, createChecklist, selectSteps } from "../../src/machines/checklist/checklist.machine.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { failureText } from "../support/model.ts";
import { refreshableLoadInvariants, isCalling, unchecked, walkEveryPath } from "../support/invariants.ts";
import { checklistModel, stepsOf } from "./checklist.model.ts";

const isComplete = (steps: Steps | null) => steps !== null && STEPS.every((step) => steps[step]);
const isOpen = ({ context: { steps } }: { context: { steps: Steps | null } }) =>
  expect([steps === null, isComplete(steps)]).toEqual([false, false]);
const actions = ({ steps }: { steps: Steps | null }) => [
  "checklist.dismiss",
  "reading.refresh",
  ...(steps?.stages ? [] : ["stages.add"]),
];

walkEveryPath(checklistModel, {
  ...refreshableLoadInvariants("", "readSteps"),
  shown: { holds: isOpen, accepts: actions },
  "shown.current": { after: ["done readSteps"] },
  "shown.refreshing": {
    after: {
      ...unchecked("reading.refresh", "reading.retry"),
      "done addStages": ({ effects }) => expect(effects).toHaveProperty("announceStages"),
      "error addStages": ({ context, event }) =>
        expect(context.problem).toEqual(failureText(event, "Some of the example stages may have been added.")),
      "error dismiss": ({ context, event }) =>
        expect(context.problem).toEqual(failureText(event, "The checklist may come back.")),
    },
    holds: isCalling("readSteps"),
  },
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
      ...unchecked("done dismiss", "done complete", "error complete"),
      "done readSteps": ({ context }) => expect(context.steps).toEqual(null),
    },
  },
});

it("adds the example stages once, and closes when the last step is done", async () => {
  const page = fakePage();
  let done = stepsOf();
  const calls: string[] = [];
  const checklist = {
    readSteps: async () => done,
    async addStages() {
      calls.push("add");
      done = stepsOf("stages");
    },
    dismiss: async () => void calls.push("dismiss"),
  };
  const { go, snapshot } = await openJourney(createChecklist(page, { checklist }));
  await go({ type: "stages.add" }, { type: "stages.add" });
  expect([selectSteps(snapshot()), calls, page.notices]).toEqual([
    stepsOf("stages"),
    ["add"],
    ["Example stages added."],
  ]);
  done = stepsOf(...STEPS);
  page.publish("telegram.changed");
  await settle();
  expect([snapshot().value, selectSteps(snapshot()), calls]).toEqual(["closed", null, ["add", "dismiss"]]);
});
