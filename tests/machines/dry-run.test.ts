import { expect, it } from "vitest";
import { createDryRun } from "../../src/machines/dry-run/dry-run.machine.ts";
import { fakePage, openJourney, returnToPage } from "../support/page.ts";
import {
  type VisitOf,
  failsWith,
  refreshableLoadInvariants,
  isCalling,
  isUnchanged,
  walkEveryPath,
} from "../support/invariants.ts";
import { dryRunModel, heldItem } from "./dry-run.model.ts";

type Visited = VisitOf<typeof dryRunModel>;
const forgetsProblem = ({ context, before }: Visited) => expect(context).toEqual({ ...before, problem: null });
const failed = failsWith("It may have been switched.");
const stores = ({ context, before, event }: Visited) =>
  expect(context.problem).toEqual(event.output === before.isOn ? before.problem : null);
const reads = { "done readDryRun": stores, "done checkDryRun": stores, "error checkDryRun": isUnchanged };

walkEveryPath(dryRunModel, {
  ...refreshableLoadInvariants("", "readDryRun"),
  known: { after: [] },
  absent: {
    after: ["done readDryRun", "done checkDryRun"],
    holds: ({ context }) => expect(context.isOn).toEqual(null),
  },
  off: {
    accepts: ["dryRun.start", "reading.refresh"],
    after: { ...reads, "done endDryRun": ({ effects }) => expect(effects).toEqual({ announceEnd: null }) },
    holds: ({ context }) => expect(context.isOn).toEqual(false),
  },
  on: {
    accepts: ["dryRun.leave", "reading.refresh"],
    after: { ...reads, "done startDryRun": null },
    holds: ({ context }) => expect(context.isOn).toEqual(true),
  },
  checking: {
    accepts: ({ isOn }) => [isOn ? "dryRun.leave" : "dryRun.start"],
    after: {
      "reading.refresh": isUnchanged,
      "dryRun.stay": isUnchanged,
      "error startDryRun": failed,
      "error endDryRun": failed,
    },
    holds: isCalling("checkDryRun"),
  },
  starting: { after: { "dryRun.start": forgetsProblem }, holds: isCalling("startDryRun") },
  reviewing: {
    accepts: ["dryRun.stay"],
    after: { "dryRun.leave": forgetsProblem, "reading.retry": forgetsProblem },
    holds: isCalling("listHeldBack"),
  },
  reviewed: {
    accepts: ["dryRun.stay", "dryRun.end"],
    after: {
      "done listHeldBack": ({ context, event }) =>
        expect(context).toEqual({ isOn: true, heldBack: event.output, problem: null }),
    },
  },
  unreviewed: { accepts: ["reading.retry", "dryRun.stay", "dryRun.end"], after: ["error listHeldBack"] },
  ending: { after: { "dryRun.end": forgetsProblem }, holds: isCalling("endDryRun") },
});

const NOON = "2026-03-05T12:00:00.000Z";

it("leaves a dry run after a review, and notices one that ended elsewhere", async () => {
  const page = fakePage();
  const requests: unknown[] = [];
  const memory = { since: null as string | null };
  let isOn = false;
  const logic = createDryRun(page, {
    dryRun: {
      readDryRun: async () => isOn,
      saveDryRun: async (input) => (requests.push(input), (isOn = input.isOn)),
      listHeldBack: async (input) => (requests.push(input), { items: [heldItem], hasMore: false }),
    },
    memory: { read: () => memory.since, write: (since) => (memory.since = since), clear: () => (memory.since = null) },
    now: () => NOON,
  });
  const { go, context, snapshot } = await openJourney(logic);
  await go({ type: "dryRun.start" });
  expect([snapshot().value, memory.since]).toEqual(["on", NOON]);
  await go({ type: "dryRun.end" }, { type: "dryRun.leave" });
  expect(context().heldBack).toEqual({ items: [heldItem], hasMore: false, since: NOON });
  await go({ type: "dryRun.end" });
  expect([requests, memory.since, page.notices]).toEqual([
    [{ isOn: true }, { since: NOON }, { isOn: false }],
    null,
    ["Dry run is over: automatic messages go out from now on."],
  ]);
  await go({ type: "dryRun.start" });
  isOn = false;
  await returnToPage();
  expect([snapshot().value, memory.since]).toEqual(["off", null]);
});
