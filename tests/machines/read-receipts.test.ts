import { expect, it, vi } from "vitest";
import { createActor } from "xstate";
import { createReadReceipts } from "../../src/machines/read-receipts/read-receipts.machine.ts";
import type { Invariants } from "../support/invariants.ts";
import { failureText } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { firstReadingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { readReceiptsMachine, readReceiptsModel } from "./read-receipts.model.ts";

const invariants: Invariants<typeof readReceiptsMachine> = {
  ...firstReadingInvariants("", "readReceipts", { starts: ["error saveReceipts"] }),
  "*": {
    holds: ({ cause, context, event }) => {
      if (cause === "error saveReceipts")
        expect(context.problem).toEqual(failureText(event, "It may have been saved."));
    },
  },
  resting: {
    after: {
      // What was not answered is no problem any more once it shows.
      "done readReceipts": ({ event, before, context }) =>
        expect(context).toEqual({ isOn: event.output, problem: event.output === before.isOn ? before.problem : null }),
      "done saveReceipts": ({ before, context }) =>
        expect(context).toEqual({ isOn: true, problem: before.isOn ? before.problem : null }),
      "error saveReceipts": ({ before, context }) =>
        expect(context).toEqual({ isOn: before.isOn, problem: "Not now." }),
    },
    accepts: ["receipts.switch"],
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

function startReceipts(saveReceipts: (input: { isOn: boolean }) => Promise<boolean>) {
  const page = fakePage();
  const logic = createReadReceipts(page, { readReceipts: async () => false, saveReceipts });
  const chart = createActor(logic).start();
  const resting = () => vi.waitFor(() => expect(chart.getSnapshot().value).toEqual("resting"));
  return { chart, said: page.said, resting };
}

it("read receipts are switched by one call, and shown as asked for meanwhile", async () => {
  const asked: boolean[] = [];
  const { chart, resting } = startReceipts(async ({ isOn }) => asked.push(isOn) > 0 && isOn);
  await resting();
  chart.send({ type: "receipts.switch" });
  chart.send({ type: "receipts.switch" });
  await resting();
  expect([asked, chart.getSnapshot().context]).toEqual([[true], { isOn: true, problem: null }]);
});

it("read receipts that were not saved stand as they were, and say so", async () => {
  const { chart, said, resting } = startReceipts(() => Promise.reject(new Error("offline")));
  await resting();
  chart.send({ type: "receipts.switch" });
  await resting();
  expect([chart.getSnapshot().context, said]).toEqual([
    { isOn: false, problem: "No response from the server. It may have been saved." },
    [],
  ]);
  chart.send({ type: "receipts.switch" });
  chart.stop();
  await vi.waitFor(() =>
    expect(said).toEqual([
      ["warning", "No response from the server. Whether people see that you have read may have been saved."],
    ]),
  );
});
