import { expect, it, vi } from "vitest";
import { createActor } from "xstate";
import {
  type Automation,
  type AutomationGateway,
  automationHoldMachine,
  createAutomationHold,
  holdUntil,
  selectAutomation,
} from "../../src/machines/automation-hold/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { automationHoldModel, finished, held, scheduled } from "./automation-hold.model.ts";

walkEveryPath(automationHoldMachine, automationHoldModel);

const NOON = new Date(2026, 2, 5, 12).getTime();
const local = (...day: [number, number, number, number]) => new Date(...day).toISOString();

const next: Automation = { ...scheduled, step: { id: "step-2", order: 1, preview: "And then" } };

function startHold(first: Automation | null, steer: AutomationGateway["steer"]) {
  const told: string[] = [];
  let tell = () => {};
  let known = first;
  const logic = createAutomationHold({
    automation: { read: async () => known, steer },
    now: () => NOON,
    onLeadRead: (listener) => ((tell = listener), () => {}),
    notifier: { toast: (words) => told.push(words), warn: (words) => told.push(words) },
    logger: { warn: () => {} },
  });
  const chart = createActor(logic, { input: { leadId: "lead-1" } }).start();
  const reads = (automation: Automation | null) =>
    vi.waitFor(() => expect(selectAutomation(chart.getSnapshot())).toEqual(automation));
  const news = (automation: Automation) => {
    known = automation;
    tell();
  };
  return { chart, told, reads, news };
}

it("a hold lasts until the moment that its choice names, where the person is", () => {
  const until = (choice: Parameters<typeof holdUntil>[0]["choice"], date = "") => holdUntil({ choice, date }, NOON);
  expect([until("hour"), until("tomorrow"), until("week"), until("date", "2026-03-20"), until("open")]).toEqual([
    local(2026, 2, 5, 13),
    local(2026, 2, 6, 9),
    local(2026, 2, 12, 12),
    local(2026, 2, 20, 9),
    null,
  ]);
});

it("a lead is held by one call that says until when, and then only resumed", async () => {
  const asked: unknown[] = [];
  const { chart, reads } = startHold(scheduled, async (input) => (asked.push(input), held));
  await reads(scheduled);
  chart.send({ type: "automation.resume" });
  chart.send({ type: "hold.choose" });
  chart.send({ type: "hold.change", change: { choice: "hour" } });
  chart.send({ type: "hold.submit" });
  chart.send({ type: "hold.submit" });
  await reads(held);
  chart.send({ type: "hold.choose" });
  expect([asked, chart.getSnapshot().value.work]).toEqual([
    [{ leadId: "lead-1", action: "hold", until: local(2026, 2, 5, 13) }],
    "resting",
  ]);
});

it("an open hold names no moment, and a date without a day is not sent", async () => {
  const asked: unknown[] = [];
  const { chart, reads } = startHold(scheduled, async (input) => (asked.push(input), held));
  await reads(scheduled);
  chart.send({ type: "hold.choose" });
  chart.send({ type: "hold.change", change: { choice: "date" } });
  chart.send({ type: "hold.submit" });
  expect(asked).toEqual([]);
  chart.send({ type: "hold.change", change: { choice: "open" } });
  chart.send({ type: "hold.submit" });
  await reads(held);
  expect(asked).toEqual([{ leadId: "lead-1", action: "hold" }]);
});

it("what another screen held is no longer asked about, and a step that is not there is not skipped", async () => {
  const { chart, reads, news } = startHold(scheduled, () => Promise.reject(new Error("must not be called")));
  await reads(scheduled);
  chart.send({ type: "hold.choose" });
  news(held);
  await reads(held);
  expect(chart.getSnapshot().value.work).toEqual("resting");
  news(finished);
  await reads(finished);
  expect(chart.getSnapshot().can({ type: "step.skip" })).toEqual(false);
});

it("a change that failed says so, and is told over any screen once its own is gone", async () => {
  const { chart, told, reads } = startHold(scheduled, () => Promise.reject(new Error("offline")));
  await reads(scheduled);
  chart.send({ type: "step.skip" });
  await vi.waitFor(() =>
    expect(chart.getSnapshot().context.problem).toEqual("No response from the server. It may have been changed."),
  );
  expect(told).toEqual([]);
  chart.send({ type: "step.skip" });
  chart.stop();
  await vi.waitFor(() => expect(told).toEqual(["No response from the server. The step may have been skipped."]));
});

it("names the step that the user saw when skipping is tried again after no response", async () => {
  const asked: unknown[] = [];
  const answers = [() => Promise.reject(new Error("offline")), async () => next, async () => finished];
  const { chart, reads } = startHold(scheduled, (input) => {
    asked.push(input);
    return answers[asked.length - 1]?.() ?? Promise.reject(new Error("must not be called"));
  });
  await reads(scheduled);
  chart.send({ type: "step.skip" });
  await vi.waitFor(() => expect(chart.getSnapshot().context.problem).not.toEqual(null));
  chart.send({ type: "step.skip" });
  await reads(next);
  chart.send({ type: "step.skip" });
  await reads(finished);
  const steps = [scheduled.step?.id, scheduled.step?.id, next.step?.id];
  expect(asked).toEqual(steps.map((stepId) => ({ leadId: "lead-1", action: "skip", stepId })));
});

it("asking why reads the state anew", async () => {
  const { chart, reads, news } = startHold(held, () => Promise.reject(new Error("must not be called")));
  await reads(held);
  news(finished);
  chart.send({ type: "reason.ask" });
  expect(chart.getSnapshot().matches({ reason: "asked", state: { shown: "refreshing" } })).toEqual(true);
  await reads(finished);
});
