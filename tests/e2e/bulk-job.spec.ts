import type { Page } from "@playwright/test";
import type { AnyEventObject, AnyMachineSnapshot } from "xstate";
import { bulkJobMachine } from "../../src/machines/bulk-job/bulk-job.machine.ts";
import { bulkJobInputs, bulkJobModel, job, mayForesee, stages } from "../machines/bulk-job.model.ts";
import { edgesLeftOut, edgesOf, fewestPaths } from "../support/covering-paths.ts";
import { type Step, edgePaths, replay } from "../support/walk-machine.ts";
import { expect, test } from "./fixtures.ts";
import { HeldNetwork, NOON, SESSION_KEY, standAtNoon, storedSession } from "./network.ts";

type Regions = { composer: unknown; job: unknown; stages: string };
const regionsOf = (state: AnyMachineSnapshot) => state.value as Regions;
const isDialogOpen = (state: AnyMachineSnapshot) =>
  regionsOf(state).composer === "alerting" ||
  state.matches({ composer: { asking: "confirming" } }) ||
  String(regionsOf(state).job).startsWith("announcing");

/** What a browser's edge can bring about where: a dialog is modal, and each half is walked while the other rests. */
const walked = (state: AnyMachineSnapshot, { type }: AnyEventObject): boolean => {
  const { composer, job, stages } = regionsOf(state);
  const isDialogEvent = /done\.actor\.(showAlert|askConfirmation|announce)/.test(type);
  if (type === "job.queued" || type === "job.changed" || /error\.actor\.(showAlert|ask|announce)/.test(type))
    return false;
  if (stages === "loading") return type.endsWith("done.actor.listStages") && composer === "composing";
  // Its figures may come while the question is open, once.
  if (isDialogOpen(state)) return isDialogEvent || (type.endsWith("actor.foresee") && mayForesee(state, { type }));
  if (type === "reading.retry") return job === "unread" && composer === "composing";
  const isOfJob = /job\.|fetchJob|findJob|fetchRememberedJob|cancelJob|continueJob|pollInterval|resultDuration/.test(
    type,
  );
  const isJobAtRest = job === "absent" || job === "finished" || state.matches({ job: { running: "waiting" } });
  return isOfJob ? composer === "composing" : isJobAtRest;
};

/** What a step of a path does, told apart by the half it changes: the event, and from where to where. */
function changesOf(steps: readonly Step[]): string[] {
  return steps.map(({ event, state }, index) => {
    const [now, before] = [regionsOf(state), index === 0 ? null : regionsOf((steps[index - 1] as Step).state)];
    const changed = (["composer", "job"] as const).filter(
      (half) => JSON.stringify(now[half]) !== JSON.stringify(before?.[half]),
    );
    return JSON.stringify([titleOf(event), changed.map((half) => [before?.[half], now[half]])]);
  });
}

const titleOf = ({ type, ...payload }: AnyEventObject) => {
  const file = payload["file"] instanceof File ? payload["file"].name : "";
  return `${type.replace(/^xstate\./, "")} ${file || JSON.stringify(payload)}`;
};

const CALLS = {
  "GET /api/stages": "listStages",
  "GET /api/leads": "countLeads",
  "POST /api/bulk": "queueMessages",
  "GET /api/bulk/job-1": "fetchJob",
  "GET /api/bulk/current": "findJob",
  "GET /api/bulk/preflight": "foresee",
  "DELETE /api/bulk/job-1": "cancelJob",
  "POST /api/bulk/job-1/continue": "continueJob",
};

/** The stream's own word of a job. */
const newsOf = ({ jobId }: AnyEventObject) => ({
  contentType: "text/event-stream",
  body: `event: bulk.changed\ndata: ${JSON.stringify({ job_id: jobId })}\n\n`,
});

const eventOf = (id: string, output: unknown = stages): AnyEventObject => ({
  type: `xstate.done.actor.${id}`,
  output,
});
const untilQueued: AnyEventObject[] = [
  { type: "message.send", message: "hi", throttle: "0.3" },
  eventOf("countLeads", 12),
  eventOf("foresee", null),
  eventOf("askConfirmation", true),
  eventOf("queueMessages", { jobId: "job-1" }),
];

const dialogButton = (page: Page, name: string) => page.getByRole("alertdialog").getByRole("button", { name });

async function settle(page: Page, network: HeldNetwork, event: AnyEventObject) {
  const [, outcome, id = ""] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(event.type) ?? [];
  if (id === "askConfirmation") return dialogButton(page, event["output"] ? "OK" : "Cancel").click();
  if (id === "showAlert" || id.startsWith("announce")) return dialogButton(page, "OK").click();
  const call = id === "fetchRememberedJob" ? "fetchJob" : id;
  if (outcome === "error") {
    const { status = 500 } = event["error"] as { status?: number };
    return network.settle(call, { status, json: {} });
  }
  if (call === "countLeads")
    return network.settle(call, {
      json: { leads: event["output"] === 0 ? [] : [{ id: "1" }], total: event["output"] },
    });
  if (call === "findJob" || call === "foresee")
    return event["output"] === null
      ? network.settle(call, { status: 404, json: {} })
      : network.settle(call, { json: event["output"] });
  return network.settle(call, { json: call === "queueMessages" ? { job_id: "job-1" } : (event["output"] ?? {}) });
}

const gestures: Record<string, (page: Page, event: AnyEventObject) => Promise<unknown>> = {
  "stage.choose": (page, event) => page.getByLabel("Target stage").selectOption(String(event["stageId"])),
  "media.choose": async (page, event) => {
    const { name, type: mimeType, size } = event["file"] as File;
    await page.getByLabel("Image or video (optional)").setInputFiles({ name, mimeType, buffer: Buffer.alloc(size) });
  },
  "message.send": async (page, event) => {
    await page.getByLabel("Message", { exact: true }).fill(String(event["message"]));
    await page.getByLabel("Throttle (seconds per message)").fill(String(event["throttle"]));
    await page.getByRole("button", { name: "Send Bulk Message", exact: true }).click();
  },
  "reading.retry": (page) => page.getByRole("button", { name: "Try again", exact: true }).click(),
  "job.recheck": (page) => page.getByRole("button", { name: "Check again", exact: true }).click(),
  "job.continue": (page) => page.getByRole("button", { name: "Continue", exact: true }).click(),
  "job.cancel": (page) => page.getByRole("button", { name: "Cancel Send", exact: true }).click(),
};

async function expectShown(page: Page, state: AnyMachineSnapshot) {
  const { job } = regionsOf(state);
  await expect(page.getByRole("alertdialog")).toHaveCount(isDialogOpen(state) ? 1 : 0);
  const isFinished = job === "finished";
  await expect(page.getByText(/^✅ Bulk message sent to/)).toHaveCount(isFinished ? 1 : 0);
  const isShown = state.context.jobId !== null && !isFinished;
  await expect(page.getByText(/^Sending bulk message\.\.\./)).toHaveCount(isShown ? 1 : 0);
  await expect(page.getByText("Whether a bulk message is being sent could not be read.")).toHaveCount(
    job === "unread" ? 1 : 0,
  );
  const isStalled = state.matches({ job: { running: "stalled" } });
  await expect(page.getByRole("button", { name: "Check again", includeHidden: true })).toHaveCount(isStalled ? 1 : 0);
  const isHeld = isShown && job !== "resuming" && state.context.progress?.isHeld === true;
  await expect(page.getByText(/^Paused: Your Telegram account was away/)).toHaveCount(isHeld ? 1 : 0);
}

/** Where the two halves, or news from outside, meet in the middle of something: the generated walks keep them apart. */
const meetings: Record<string, AnyEventObject[]> = {
  "the stages are not read at first": [
    { type: "xstate.error.actor.listStages", error: new Error("offline") },
    { type: "reading.retry" },
    eventOf("listStages"),
  ],
  "a message is queued while a job is looked for": [eventOf("listStages"), ...untilQueued],
  "a message is queued where nobody could say whether a job runs": [
    eventOf("listStages"),
    { type: "xstate.error.actor.findJob", error: new Error("offline") },
    ...untilQueued,
  ],
  "a message is queued beside a job that was found meanwhile": [
    eventOf("listStages"),
    ...untilQueued.slice(0, -2),
    eventOf("findJob", job("in_progress", 3)),
    ...untilQueued.slice(-2),
  ],
  "news of a job come where nobody could say whether one runs": [
    eventOf("listStages"),
    { type: "xstate.error.actor.findJob", error: new Error("offline") },
    { type: "job.changed", jobId: "job-1" },
  ],
  "news of a job come where there was none": [
    eventOf("listStages"),
    eventOf("findJob", null),
    { type: "job.changed", jobId: "job-1" },
  ],
  "news of a job come before it is asked about again": [
    eventOf("listStages"),
    eventOf("findJob", job("in_progress", 3)),
    { type: "job.changed", jobId: "job-1" },
    eventOf("fetchJob", job("in_progress", 4)),
  ],
  "news of a job come after its progress was not read": [
    eventOf("listStages"),
    eventOf("findJob", job("in_progress", 3)),
    { type: "xstate.after.pollInterval.bulkJob.job.running.waiting" },
    { type: "xstate.error.actor.fetchJob", error: new Error("offline") },
    { type: "job.changed", jobId: "job-1" },
    eventOf("fetchJob", job("in_progress", 4)),
  ],
};

const project = (state: AnyMachineSnapshot) => [bulkJobModel.project?.(state), regionsOf(state).stages];
const walks = bulkJobInputs.map((input) => ({
  input,
  name: input.remembered ? "after a reload" : "from the start",
  // Every change is made, and every transition taken.
  paths: fewestPaths(
    bulkJobMachine,
    input,
    edgePaths(bulkJobMachine, { ...bulkJobModel, input, project }, walked),
    (steps) => [...changesOf(steps), ...edgesOf(bulkJobMachine, input, steps)],
  ),
}));

const met = Object.entries(meetings).map(([name, events]) => {
  const input = { remembered: null };
  return { input, name, paths: [[name, replay(bulkJobMachine, input, events)] as const] };
});

test("bulk leaves out what would come of a dialog that cannot be shown, and nothing else", () => {
  const taken = [...walks, ...met].flatMap(({ input, paths }) => paths.map(([, steps]) => ({ input, steps })));
  expect(edgesLeftOut(bulkJobMachine, taken)).toEqual([
    "bulkJob.composer.asking.confirming | xstate.error.actor.askConfirmation | 0",
    "bulkJob.composer.alerting | xstate.error.actor.showAlert | 0",
    "bulkJob.job.announcingCancel | xstate.error.actor.announceCancel | 0",
    "bulkJob.job.announcingFailure | xstate.error.actor.announceFailure | 0",
  ]);
});

for (const { input, name, paths } of [...walks, ...met]) {
  for (const [, steps] of paths) {
    test(`bulk, ${name}: ${steps.map(({ event }) => titleOf(event)).join(" > ")}`, async ({ page }) => {
      const hasNews = steps.some(({ event }) => event.type === "job.changed");
      // The stream of news is opened a while after all else.
      if (hasNews) await page.clock.install({ time: NOON });
      else await standAtNoon(page);
      const { user, ...session } = storedSession();
      await page.addInitScript(
        ([sessionKey, sessionText, jobKey, jobText]) => {
          localStorage.setItem(sessionKey, sessionText);
          if (jobText !== "null") sessionStorage.setItem(jobKey, jobText);
        },
        [
          SESSION_KEY,
          JSON.stringify({ ...session, user }),
          `leadloom.bulk_job.${user.id}`,
          JSON.stringify(input.remembered),
        ] as const,
      );
      const network = await HeldNetwork.of(page, hasNews ? { ...CALLS, "GET /api/events": "events" } : CALLS);
      await page.goto("/bulk-message");
      for (const { event, state } of steps) {
        if (event.type.startsWith("xstate.after."))
          await page.clock.runFor(bulkJobModel.delays?.[event.type.split(".")[2] ?? ""] ?? 0);
        else if (event.type.startsWith("xstate.")) await settle(page, network, event);
        else if (event.type === "job.changed") await network.settle("events", newsOf(event));
        else await gestures[event.type]?.(page, event);
        await expectShown(page, state);
      }
    });
  }
}
