import { expect, it } from "vitest";
import { createReadReceipts } from "../../src/machines/read-receipts/read-receipts.machine.ts";
import { refreshableLoadInvariants, refreshableInvariants, walkEveryPath } from "../support/invariants.ts";
import { failureText, unanswered } from "../support/model.ts";
import { fakePage, openJourney, returnToPage } from "../support/page.ts";
import { readReceiptsModel } from "./read-receipts.model.ts";

walkEveryPath(readReceiptsModel, {
  ...refreshableLoadInvariants("", "readReceipts"),
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
});

it("switches read receipts by one call, and reports a failure on other screens", async () => {
  const page = fakePage();
  const saved: boolean[] = [];
  let held = false;
  const saveReceipts = async ({ isOn }: { isOn: boolean }) => {
    if (saved.push(isOn) > 1) throw new Error("offline");
    held = isOn;
    return held;
  };
  const logic = createReadReceipts(page, { readReceipts: async () => held, saveReceipts });
  const { leave, go, context } = await openJourney(logic);
  await go({ type: "receipts.switch" }, { type: "receipts.switch" });
  expect([saved, context()]).toEqual([[true], { isOn: true, problem: null }]);
  held = false;
  await returnToPage();
  expect(context().isOn).toEqual(false);
  held = true;
  await returnToPage();
  await leave({ type: "receipts.switch" });
  expect([saved, page.notices]).toEqual([
    [true, false],
    [["warning", unanswered("Whether people see that you have read may have been saved.")]],
  ]);
});
