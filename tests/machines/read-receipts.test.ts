import { expect, it } from "vitest";
import { createReadReceipts } from "../../src/machines/read-receipts/read-receipts.machine.ts";
import type { Invariants } from "../support/invariants.ts";
import { failureText, unanswered } from "../support/model-events.ts";
import { startJourney } from "../support/journey.ts";
import { fakePage, settle } from "../support/page.ts";
import { initialLoadInvariants, refreshableInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { readReceiptsMachine, readReceiptsModel } from "./read-receipts.model.ts";

const invariants: Invariants<typeof readReceiptsMachine> = {
  ...initialLoadInvariants("", "readReceipts"),
  known: { accepts: ["receipts.switch"] },
  ...refreshableInvariants("known.", "readReceipts", null, { starts: ["error saveReceipts"] }),
  "*": {
    holds: ({ cause, context, event }) => {
      if (cause === "error saveReceipts")
        expect(context.problem).toEqual(failureText(event, "It may have been saved."));
    },
  },
  "known.current": {
    after: {
      // The problem of an unanswered save ends when the loaded value shows that it succeeded.
      "done readReceipts": ({ event, before, context }) =>
        expect(context).toEqual({ isOn: event.output, problem: event.output === before.isOn ? before.problem : null }),
      "done saveReceipts": ({ before, context }) =>
        expect(context).toEqual({ isOn: true, problem: before.isOn ? before.problem : null }),
    },
    accepts: ["reading.refresh"],
  },
  saving: {
    after: ["receipts.switch"],
    holds: ({ context, before, calls }) => {
      expect(calls).toEqual({ saveReceipts: { isOn: !before.isOn } });
      expect(context).toEqual(before);
    },
  },
};

walkEveryPath(readReceiptsMachine, readReceiptsModel, invariants);

it("switches read receipts by one call, and reports a failure on other screens", async () => {
  const page = fakePage();
  const saved: boolean[] = [];
  let held = false;
  let comeBack = () => {};
  const saveReceipts = async ({ isOn }: { isOn: boolean }) => {
    if (saved.push(isOn) > 1) throw new Error("offline");
    held = isOn;
    return held;
  };
  const { chart, go, context } = startJourney(
    createReadReceipts(page, { readReceipts: async () => held, saveReceipts }, (onReturn) => {
      comeBack = () => onReturn("shown");
      return () => {};
    }),
  );
  await settle();
  await go({ type: "receipts.switch" }, { type: "receipts.switch" });
  expect([saved, context()]).toEqual([[true], { isOn: true, problem: null }]);
  held = false;
  comeBack();
  await settle();
  expect(context().isOn).toEqual(false);
  held = true;
  comeBack();
  await settle();
  chart.send({ type: "receipts.switch" });
  chart.stop();
  await settle();
  expect([saved, page.notices]).toEqual([
    [true, false],
    [["warning", unanswered("Whether people see that you have read may have been saved.")]],
  ]);
});
