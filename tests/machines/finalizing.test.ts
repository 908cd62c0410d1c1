import { describe, expect, it } from "vitest";
import { SimulatedClock, createActor, waitFor } from "xstate";
import { createFinalizing } from "../../src/machines/finalizing/finalizing.machine.ts";
import type { createBillingGateway } from "../../src/services/billing.ts";
import { fakePage } from "../support/page.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { unchecked } from "../support/invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { finalizingMachine, finalizingModel } from "./finalizing.model.ts";

walkEveryPath(finalizingMachine, finalizingModel, {
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

describe("finalizing a checkout", () => {
  const hang = () => new Promise<never>(() => {});
  const finalize = (billing: Partial<ReturnType<typeof createBillingGateway>> = {}, sessionId = "cs_test_1") => {
    const page = fakePage();
    const seen = { confirmed: [] as string[], synced: 0, redirects: 0, logged: page.logged };
    const clock = new SimulatedClock();
    const actor = createActor(
      createFinalizing(page, {
        billing: {
          confirm: ({ sessionId: id }) => {
            seen.confirmed.push(id);
            return billing.confirm?.({ sessionId: id }) ?? Promise.resolve("active");
          },
          sync: () => {
            seen.synced += 1;
            return billing.sync?.() ?? Promise.resolve("active");
          },
        },
        openBilling: () => {
          seen.redirects += 1;
        },
      }),
      { input: { sessionId }, clock },
    ).start();
    return { actor, seen, clock };
  };

  it("confirms, synchronises and leads to billing once", async () => {
    const { actor, seen, clock } = finalize();
    await waitFor(actor, (snapshot) => snapshot.status === "done");
    clock.increment(60_000);
    expect(seen).toEqual({ confirmed: ["cs_test_1"], synced: 1, redirects: 1, logged: [] });
  });

  it("gives a hanging confirmation 5 s, a hanging synchronisation the rest of 8 s", () => {
    const { actor, seen, clock } = finalize({ confirm: hang, sync: hang });
    clock.increment(4_999);
    expect(actor.getSnapshot().value).toEqual({ working: "confirming" });
    clock.increment(1);
    expect(actor.getSnapshot().value).toEqual({ working: "syncing" });
    clock.increment(2_999);
    expect(seen.redirects).toEqual(0);
    clock.increment(1);
    expect(actor.getSnapshot().value).toEqual("finished");
    expect(seen.redirects).toEqual(1);
  });

  it("gives a hanging synchronisation alone 4 s", async () => {
    const { actor, seen, clock } = finalize({ sync: hang });
    await waitFor(actor, (snapshot) => snapshot.matches({ working: "syncing" }));
    clock.increment(3_999);
    expect(seen.redirects).toEqual(0);
    clock.increment(1);
    expect(seen.redirects).toEqual(1);
  });
});
