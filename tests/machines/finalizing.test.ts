import { expect, it, vi } from "vitest";
import { SimulatedClock } from "xstate";
import { createFinalizing } from "../../src/machines/finalizing/finalizing.machine.ts";
import { fakePage, startJourney } from "../support/page.ts";
import { isCalling, unchecked, walkEveryPath } from "../support/invariants.ts";
import { finalizingModel } from "./finalizing.model.ts";

walkEveryPath(finalizingModel, {
  "working.arriving": { after: [] },
  "working.confirming": { after: ["start"], holds: isCalling("confirmCheckout", { sessionId: "cs_test_1" }) },
  "working.syncing": {
    after: {
      ...unchecked("done confirmCheckout", "error confirmCheckout", "after confirmLimit"),
      start: ({ context }) => expect(context.sessionId).toEqual(""),
    },
    holds: isCalling("syncSubscription"),
  },
  "working.synced": { after: [] },
  finished: {
    after: ["done syncSubscription", "error syncSubscription", "after syncLimit", "after patience"],
    holds: ({ effects }) => expect(effects).toHaveProperty("openBilling"),
  },
});

it("gives a hanging confirmation 5 s and a sync the rest of 8 s, then opens billing", async () => {
  const requests: unknown[] = [];
  const hang = (input?: unknown) => (requests.push(input), new Promise<never>(() => {}));
  const clock = new SimulatedClock();
  const openBilling = vi.fn<() => void>();
  const logic = createFinalizing(fakePage(), { billing: { confirm: hang, sync: () => hang() }, openBilling });
  const { snapshot } = startJourney(logic, { input: { sessionId: "cs_test_1" }, clock });
  clock.increment(4_999);
  expect(snapshot().value).toEqual({ working: "confirming" });
  clock.increment(1);
  expect(snapshot().value).toEqual({ working: "syncing" });
  clock.increment(2_999);
  expect(openBilling).not.toHaveBeenCalled();
  clock.increment(1);
  expect(snapshot().value).toEqual("finished");
  clock.increment(60_000);
  expect([requests, openBilling.mock.calls.length]).toEqual([[{ sessionId: "cs_test_1" }, undefined], 1]);
});
