import type { Page } from "@playwright/test";
import type { AnyEventObject, AnyMachineSnapshot } from "xstate";
import { telegramMachine } from "../../src/machines/telegram/telegram.machine.ts";
import {
  selectCodeStep,
  selectMessage,
  selectQrStep,
  selectScreen,
  selectTab,
} from "../../src/machines/telegram/telegram.selectors.ts";
import { telegramModel } from "../machines/telegram.model.ts";
import { edgesLeftOut, fewestPaths } from "../support/covering-paths.ts";
import { type Step, edgePaths } from "../support/walk-machine.ts";
import { expect, test } from "./fixtures.ts";
import { HeldNetwork, startSignedIn } from "./network.ts";

/** News come over the event stream, which is not part of this walk; what a person cannot do is not played. */
const walked = (state: AnyMachineSnapshot, event: AnyEventObject) =>
  event.type !== "connection.seen" && event.type !== "qr.renewed" && state.can(event);
const paths = fewestPaths(telegramMachine, telegramModel.input, edgePaths(telegramMachine, telegramModel, walked));

const CALLS = {
  "GET /api/telegram/status": "checkStatus",
  "POST /api/telegram/send-code": "requestCode",
  "POST /api/telegram/verify-code": "checkCode",
  "POST /api/telegram/verify-password": "checkPassword",
  "POST /api/telegram/qr-start": "startQr",
  "POST /api/telegram/qr-complete": "completeQr",
  "GET /api/telegram/qr": "renewQr",
  "POST /api/telegram/qr-cancel": "cancelQr",
  "POST /api/telegram/disconnect": "disconnect",
};

/** An outcome as a server words it. */
function answerOf(call: string, outcome: { kind?: string; qrUrl?: string; phone?: string | null } | undefined) {
  switch (outcome?.kind) {
    case "connected":
      return { json: { success: true, phone: outcome.phone } };
    case "passwordNeeded":
      return { status: call === "completeQr" ? 401 : 200, json: { "2fa_required": true, hint: "cat" } };
    case "refused":
      return { status: 422, json: { message: "Wait 30 seconds.", code: "flood_wait" } };
    case "expired":
      return { status: 408, json: {} };
    case "unavailable":
      return { status: 404, json: {} };
    case "started":
    case "renewed":
      return { json: { qr_url: outcome.qrUrl } };
    default:
      return { json: outcome ?? {} };
  }
}

const fill = async (page: Page, label: string, text: unknown, button: string) => {
  await page.getByLabel(label).fill(String(text));
  await page.getByRole("button", { name: button }).click();
};

const gestures: Record<string, (page: Page, event: AnyEventObject) => Promise<void>> = {
  "tab.choose": (page, event) => page.getByRole("tab", { name: event["tab"] === "qr" ? "Use QR" : "Use Code" }).click(),
  "phone.submit": (page, event) => fill(page, "Phone number", event["phone"], "Send Login Code"),
  "code.submit": (page, event) => fill(page, "Login code", event["code"], "Confirm Code"),
  "password.submit": (page, event) => fill(page, "Telegram password", event["password"], "Confirm Password"),
  "login.restart": (page) => page.getByRole("button", { name: "Use another phone number" }).click(),
  "qr.start": (page) => page.getByRole("button", { name: "Start QR Login", exact: true }).click(),
  "qr.cancel": (page) => page.getByRole("button", { name: "Cancel", exact: true }).click(),
  "reading.retry": (page) =>
    page
      .getByRole("button", { name: /^Try again/ })
      .first()
      .click(),
  "account.disconnect": (page) => page.getByRole("button", { name: "Disconnect", exact: true }).click(),
};

/** What stands on the screen in a state, and nowhere else. */
function sign(page: Page, state: AnyMachineSnapshot) {
  const telegram = state as Parameters<typeof selectScreen>[0];
  if (selectScreen(telegram) === "checking") return page.getByText("Loading ...");
  if (selectScreen(telegram) === "connected") return page.getByRole("heading", { name: /^Leadloom is connected/ });
  const codeSigns = { phone: "Send Login Code", code: "Confirm Code", password: "Confirm Password" };
  if (selectTab(telegram) === "code") return page.getByRole("button", { name: codeSigns[selectCodeStep(telegram)] });
  const step = selectQrStep(telegram);
  if (step === "approval") return page.getByText("Waiting for approval…");
  return page.getByRole("button", { name: step === "start" ? "Start QR Login" : "Confirm Password" });
}

const titleOf = (steps: readonly Step[]) =>
  steps
    .map(({ event: { type, ...payload } }) => `${type.replace(/^xstate\./, "")} ${JSON.stringify(payload)}`)
    .join(" > ");

async function walk(page: Page, network: HeldNetwork, steps: readonly Step[]): Promise<void> {
  await network.open(page, "/connect-telegram");
  for (const { event, state } of steps) {
    const settled = /^xstate\.(done|error)\.actor\.(.+)$/.exec(event.type);
    const call = settled?.[2]?.replace("checkQrPassword", "checkPassword") ?? "";
    if (settled?.[1] === "done") await network.settle(call, answerOf(call, event["output"]));
    else if (settled) await network.settle(call, { status: 500, json: {} });
    else if (event.type.startsWith("xstate.after.")) {
      const delay = telegramModel.delays?.[event.type.split(".")[2] ?? ""] ?? 0;
      await page.clock.runFor(delay);
    } else {
      const gesture = gestures[event.type];
      if (!gesture) throw new Error(`${event.type} has no gesture`);
      await gesture(page, event);
    }

    await expect(sign(page, state)).toBeVisible();
    const message = selectMessage(state as never);
    if (message) await expect(page.getByText(message.text)).toBeVisible();
  }
}

for (const part of [0, 1, 2]) {
  test(`connecting along every transition, part ${part + 1} of 3`, async ({ page }) => {
    await startSignedIn(page);
    const network = await HeldNetwork.of(page, CALLS);
    for (const [, steps] of paths.filter((_, index) => index % 3 === part))
      await test.step(titleOf(steps), () => walk(page, network, steps));
  });
}

test("connecting leaves out what comes over the event stream, and nothing else", () => {
  const left = edgesLeftOut(
    telegramMachine,
    paths.map(([, steps]) => ({ input: telegramModel.input, steps })),
  );
  expect(left).toEqual([
    "telegram.disconnected.code.awaitingPhone | connection.seen | 0",
    "telegram.disconnected.qr.resting | connection.seen | 0",
    "telegram.disconnected.qr.awaitingApproval | qr.renewed | 0",
    "telegram.connected.settled | connection.seen | 0",
  ]);
});
