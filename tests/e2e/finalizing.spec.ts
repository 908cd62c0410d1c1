import type { AnyMachineSnapshot } from "xstate";
import { finalizingMachine } from "../../src/machines/finalizing/finalizing.machine.ts";
import { edgesLeftOut } from "../support/covering-paths.ts";
import { type Step, edgePaths } from "../support/walk-machine.ts";
import { expect, test } from "./fixtures.ts";
import { HeldNetwork, SESSION_KEY, standAtNoon, storedSession } from "./network.ts";

const events = [
  { type: "xstate.done.actor.confirmCheckout", output: "active" },
  { type: "xstate.error.actor.confirmCheckout", error: "503" },
  { type: "xstate.done.actor.syncSubscription", output: "active" },
  { type: "xstate.error.actor.syncSubscription", error: "503" },
];
const DELAYS: Record<string, number> = { confirmLimit: 5_000, syncLimit: 4_000 };
// Each limit falls due before the patience of 8 s does, but for the case at the end.
const isInTime = (_state: AnyMachineSnapshot, event: { type: string }) => !event.type.includes(".patience.");
const walks = ["cs_test_1", ""].flatMap((sessionId) =>
  edgePaths(finalizingMachine, { input: { sessionId }, events }, isInTime).map(([name, steps]) => ({
    title: `${sessionId === "" ? "without" : "with"} a checkout: ${name}`,
    sessionId,
    steps,
  })),
);

async function bringAbout({ event }: Step, network: HeldNetwork, runFor: (milliseconds: number) => Promise<void>) {
  const [, outcome, id] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(event.type) ?? [];
  if (id === undefined) await runFor(DELAYS[/^xstate\.after\.([^.]+)/.exec(event.type)?.[1] ?? ""] ?? 0);
  else if (outcome === "done") await network.settle(id, { json: { status: event["output"] as string } });
  else await network.settle(id, { status: 503, json: { message: "Away.", code: "unavailable" } });
}

const held = { "POST /api/billing/confirm": "confirmCheckout", "POST /api/billing/sync": "syncSubscription" };

test.beforeEach(async ({ page }) => {
  await standAtNoon(page);
  await page.addInitScript(([key, session]) => localStorage.setItem(key, session), [
    SESSION_KEY,
    JSON.stringify(storedSession()),
  ] as const);
});

for (const { title, sessionId, steps } of walks) {
  test(`finalizing ${title}`, async ({ page }) => {
    const network = await HeldNetwork.of(page, held);
    await page.goto(`/billing/success?session_id=${sessionId}`);
    await network.called(sessionId === "" ? "syncSubscription" : "confirmCheckout");
    for (const step of steps) {
      if (step.event.type === "xstate.init") continue;
      await bringAbout(step, network, (milliseconds) => page.clock.runFor(milliseconds));
      if (step.state.matches("finished")) await expect(page).toHaveURL(/\/subscribe\?from=checkout$/);
      else await expect(page.getByText("This will only take a moment.")).toBeVisible();
    }
  });
}

test("finalizing leaves out its longest time alone, which the case after this one shows", () => {
  const left = edgesLeftOut(
    finalizingMachine,
    walks.map(({ sessionId, steps }) => ({ input: { sessionId }, steps })),
  );
  expect(left).toEqual(["finalizing.working | xstate.after.patience.finalizing.working | 0"]);
});

test("finalizing never takes longer than 8 seconds", async ({ page }) => {
  const network = await HeldNetwork.of(page, held);
  await page.goto("/billing/success?session_id=cs_test_1");
  await network.called("confirmCheckout");
  await page.clock.runFor(5_000);
  await network.called("syncSubscription");
  await page.clock.runFor(2_000);
  await expect(page.getByText("This will only take a moment.")).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(page).toHaveURL(/\/subscribe\?from=checkout$/);
});
