import { expect, it } from "vitest";
import { type Automation, createAutomationHold } from "../../src/machines/automation-hold/automation-hold.machine.ts";
import { holdUntil } from "../../src/machines/automation-hold/automation-hold.until.ts";
import {
  type ContextOf,
  type Visit,
  failsWith,
  isCalling,
  isUnchanged,
  readingInvariants,
  walkEveryPath,
} from "../support/invariants.ts";
import { fakePage, openJourney } from "../support/page.ts";
import { STAGE_ENTERED, automationHoldModel, finished, held, scheduled } from "./automation-hold.model.ts";

const leadId = "lead-1";
const blank = { choice: "tomorrow", date: "" };
type Known = ContextOf<typeof automationHoldModel>;
const isHeld = ({ automation }: Known) => automation?.state === "held";
const steered = ({ context, event }: Visit<Known>) =>
  expect([context.automation, context.problem]).toEqual([event.output, null]);
const refused = failsWith("It may have been changed.");

walkEveryPath(automationHoldModel, {
  ...readingInvariants("state.", "readAutomation", "automation", {
    starts: ["reason.ask", "error skipStep", "error hold", "error resume"],
    input: { leadId },
  }),
  "reason.unasked": { after: ["start"], accepts: ({ automation }) => (automation ? ["reason.ask"] : []) },
  "reason.asked": { after: ["reason.ask"], accepts: ["reason.ask"] },
  "work.resting": {
    accepts: (context) => [
      ...(context.automation?.step ? ["step.skip"] : []),
      ...(context.automation === null ? [] : [isHeld(context) ? "automation.resume" : "hold.choose"]),
    ],
    after: {
      start: ({ context }) => expect(context).toEqual({ leadId, automation: null, hold: blank, problem: null }),
      "hold.cancel": isUnchanged,
      "done readAutomation": ({ context }) => expect(context.automation?.state).not.toEqual("scheduled"),
      "done skipStep": steered,
      "done hold": steered,
      "done resume": steered,
      "error skipStep": refused,
      "error resume": refused,
    },
  },
  "work.choosing": {
    accepts: ({ hold }) => [
      "hold.change",
      "hold.cancel",
      ...(hold.choice !== "date" || hold.date !== "" ? ["hold.submit"] : []),
    ],
    holds: ({ context }) => expect(["scheduled", "finished"]).toContain(context.automation?.state),
    after: {
      "hold.choose": ({ context }) => expect([context.hold, context.problem]).toEqual([blank, null]),
      "hold.change": ({ context, before, event }) =>
        expect(context).toEqual({ ...before, hold: { ...before.hold, ...event.change }, problem: null }),
      "error hold": refused,
    },
  },
  "work.skipping": { after: ["step.skip"], holds: isCalling("skipStep", { leadId, shown: `step-1:${STAGE_ENTERED}` }) },
  "work.holding": {
    after: ["hold.submit"],
    holds: ({ context, calls }) => isCalling("hold", { leadId, ...context.hold })({ calls }),
  },
  "work.resuming": {
    after: ["automation.resume"],
    holds: ({ context, calls }) => {
      expect(isHeld(context)).toEqual(true);
      isCalling("resume", { leadId })({ calls });
    },
  },
});

const NOON = new Date(2026, 2, 5, 12).getTime();
const local = (...day: [number, number, number, number]) => new Date(...day).toISOString();
const next: Automation = { ...scheduled, step: { id: "step-2", order: 1, preview: "And then" } };

async function startHold(steer: () => Promise<Automation | null>) {
  const page = fakePage();
  const requests: unknown[] = [];
  const logic = createAutomationHold(page, {
    automation: { read: async () => scheduled, steer: (input) => (requests.push(input), steer()) },
    now: () => NOON,
  });
  const journey = await openJourney(logic, { input: { leadId } });
  return { ...journey, requests, notices: page.notices };
}

it("ends a hold at the chosen time in the user's time zone", () => {
  const until = (choice: Parameters<typeof holdUntil>[0]["choice"], date = "") => holdUntil({ choice, date }, NOON);
  expect([until("hour"), until("tomorrow"), until("week"), until("date", "2026-03-20"), until("open")]).toEqual([
    local(2026, 2, 5, 13),
    local(2026, 2, 6, 9),
    local(2026, 2, 12, 12),
    local(2026, 2, 20, 9),
    null,
  ]);
});

it.each([
  ["hour", { until: local(2026, 2, 5, 13) }],
  ["open", {}],
] as const)("holds a lead with one call when the choice is '%s'", async (choice, until) => {
  const { go, requests } = await startHold(async () => held);
  await go(
    { type: "hold.choose" },
    { type: "hold.change", change: { choice } },
    { type: "hold.submit" },
    { type: "hold.submit" },
  );
  expect(requests).toEqual([{ leadId, action: "hold", ...until }]);
});

it("reports a failed change on other screens when the user has left", async () => {
  const { go, leave, notices } = await startHold(() => Promise.reject(new Error("offline")));
  await go({ type: "step.skip" });
  expect(notices).toEqual([]);
  await leave({ type: "step.skip" });
  expect(notices).toEqual([["warning", "No response from the server. The step may have been skipped."]]);
});

it("names the step that the user saw when a skip without response is retried", async () => {
  const later = "2026-03-11T09:00:00.000Z";
  const answers = [
    () => Promise.reject(new Error("offline")),
    async () => next,
    async () => ({ ...next, stage_entered_at: later }),
    async () => finished,
  ];
  const { go, requests } = await startHold(() => answers.shift()!());
  for (let skips = 0; skips < 4; skips++) await go({ type: "step.skip" });
  const shown = [`step-1:${STAGE_ENTERED}`, `step-1:${STAGE_ENTERED}`, `step-2:${STAGE_ENTERED}`, `step-2:${later}`];
  expect(requests).toEqual(shown.map((name) => ({ leadId, action: "skip", shown: name })));
});
