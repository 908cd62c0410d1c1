import { expect, it, vi } from "vitest";
import { type ContextFrom, createActor } from "xstate";
import { type DryRunParts, createDryRun } from "../../src/machines/dry-run/dry-run.machine.ts";
import { fakePage } from "../support/page.ts";
import type { Visit } from "../support/invariants.ts";
import { failureText } from "../support/model-events.ts";
import { firstReadingInvariants, isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { dryRunMachine, dryRunModel, heldItem } from "./dry-run.model.ts";

type Context = ContextFrom<typeof dryRunMachine>;
const isUnchanged = ({ context, before }: Visit<Context>) => expect(context).toEqual(before);
const forgetsProblem = ({ context, before }: Visit<Context>) => expect(context).toEqual({ ...before, problem: null });
const failed = ({ context, before, event }: Visit<Context>) =>
  expect(context).toEqual({ ...before, problem: failureText(event, "It may have been switched.") });
const stores = ({ context, before, event }: Visit<Context>) =>
  expect(context.problem).toEqual(event.output === before.isOn ? before.problem : null);
const reads = { "done readDryRun": stores, "done checkDryRun": stores, "error checkDryRun": isUnchanged };

walkEveryPath(dryRunMachine, dryRunModel, {
  ...firstReadingInvariants("", "readDryRun", { starts: ["reading.refresh"] }),
  loadFailed: { accepts: ["reading.retry", "reading.refresh"], after: ["error readDryRun"] },
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
    after: { ...reads, "done startDryRun": null, "dryRun.stay": isUnchanged },
    holds: ({ context }) => expect(context.isOn).toEqual(true),
  },
  checking: {
    accepts: ({ isOn }) => [isOn ? "dryRun.leave" : "dryRun.start"],
    after: { "reading.refresh": isUnchanged, "error startDryRun": failed, "error endDryRun": failed },
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

function startDryRun(isOn: boolean | null, overrides: Partial<NonNullable<DryRunParts["dryRun"]>> = {}) {
  const page = fakePage();
  const asked: unknown[] = [];
  const memory = { since: null as string | null };
  let comeBack = () => {};
  const logic = createDryRun(page, {
    dryRun: {
      readDryRun: async () => isOn,
      saveDryRun: async (input) => (asked.push(input), input.isOn),
      listHeldBack: async (input) => (asked.push(input), { items: [heldItem], hasMore: false }),
      ...overrides,
    },
    memory: {
      read: () => memory.since,
      write: (since) => (memory.since = since),
      clear: () => (memory.since = null),
    },
    now: () => NOON,
    onReturn: (listener) => ((comeBack = listener), () => {}),
  });
  const chart = createActor(logic).start();
  const at = (value: string) => vi.waitFor(() => expect(chart.getSnapshot().value).toEqual(value));
  return { chart, said: page.said, asked, memory, at, returns: () => comeBack() };
}

it("a dry run is left over what it held back since it began, and sends from then on", async () => {
  const { chart, said, asked, memory, at } = startDryRun(false);
  await at("off");
  chart.send({ type: "dryRun.start" });
  await at("on");
  expect(memory.since).toEqual(NOON);
  chart.send({ type: "dryRun.end" });
  chart.send({ type: "dryRun.leave" });
  await at("reviewed");
  expect(chart.getSnapshot().context.heldBack).toEqual({ items: [heldItem], hasMore: false, since: NOON });
  chart.send({ type: "dryRun.end" });
  await at("off");
  expect([asked, memory.since, said]).toEqual([
    [{ isOn: true }, { since: NOON }, { isOn: false }],
    null,
    ["Dry run is over: automatic messages go out from now on."],
  ]);
});

it("a server without dry runs shows none, and what another screen switched is seen on return", async () => {
  await startDryRun(null).at("absent");
  let isOn = true;
  const { at, returns, memory } = startDryRun(true, { readDryRun: async () => isOn });
  await at("on");
  memory.since = NOON;
  isOn = false;
  returns();
  await at("off");
  expect(memory.since).toEqual(null);
});
