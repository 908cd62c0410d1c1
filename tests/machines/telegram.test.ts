import { describe, expect, test } from "vitest";
import { SimulatedClock } from "xstate";
import {
  createTelegram,
  selectFieldProblem,
  selectIsCodeTabDisabled,
  selectSuggestedPhone,
} from "../../src/machines/telegram/telegram.machine.ts";
import type { PendingLogin } from "../../src/machines/telegram/telegram.outcomes.ts";
import type { createTelegramGateway } from "../../src/services/telegram.ts";
import { type VisitOf, isCalling, isUnchanged, unchecked, walkEveryPath } from "../support/invariants.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { telegramModel } from "./telegram.model.ts";

type TelegramGateway = Omit<
  ReturnType<typeof createTelegramGateway>,
  "fetchAccount" | "saveDailyCap" | "resumeSending"
>;

type Visited = VisitOf<typeof telegramModel>;

const PHONE = "+15550100";
const showsMessage =
  (tone: "error" | "success" | "info", text: string, detail: string | null = null) =>
  ({ context }: Visited) =>
    expect(context.message).toMatchObject({ tone, text, detail });
/** After a refusal the screen shows the server's own text. */
const refuses =
  (text: string) =>
  ({ event, ...visit }: Visited) => {
    expect(event.output.kind).toEqual("refused");
    showsMessage("error", text, "Wait 30 seconds.")({ event, ...visit });
  };
const isSilent = ({ context }: Visited) => expect(context.message).toEqual(null);
const needsPassword = ({ event, context }: Visited) =>
  expect([event.output.kind, context.passwordHint]).toEqual(["passwordNeeded", "cat"]);
const SEND_FAILED = "❌ Failed to send code. Try again.";
const CODE_REFUSED = "❌ Invalid code or session expired.";
const PASSWORD_REFUSED = "❌ Incorrect password. Please try again.";
const QR_START_FAILED = "❌ Failed to start QR login.";
const QR_FAILED = "❌ QR login failed. Please try again.";
const QR_EXPIRED = "⏰ QR code expired. Please try again.";
const QR_PASSWORD_REFUSED = "❌ Could not complete 2FA. Try again.";
const DISCONNECT_FAILED = "❌ Failed to disconnect.";
const LOST = "⚠️ Telegram ended this connection. Connect again to go on.";
const isDisconnected = ({ context, effects, ...visit }: Visited) => {
  expect(context).toMatchObject({ phone: "", connectedPhone: null, passwordHint: null });
  expect(effects).toEqual({ forgetRememberedPhone: null });
  showsMessage("success", "🔌 Disconnected from Telegram.")({ context, effects, ...visit });
};
const leaves = {
  "connection.seen": showsMessage("error", LOST),
  "done disconnect": isDisconnected,
  "done checkDisconnect": isDisconnected,
};
/** After a request without a response, the connection is checked. */
const isUnsure =
  (text: string) =>
  ({ effects, ...visit }: Visited) => {
    expect(effects).toHaveProperty("sendTo");
    const detail = "No response from the server. If Telegram is connected after all, this page will show it.";
    showsMessage("error", text, detail)({ effects, ...visit });
  };

const isResumed =
  (step: PendingLogin["step"]) =>
  ({ before, context }: Visited) => {
    expect(before.pending?.step).toEqual(step);
    const passwordHint = before.pending?.hint;
    expect(context).toMatchObject({ phone: PHONE, passwordHint, pending: null, isUnchecked: false });
  };
const clearsFinishedLogin =
  (text: string) =>
  ({ event, effects, ...visit }: Visited) => {
    refuses(text)({ event, effects, ...visit });
    expect(effects).toEqual(event.output.isOver ? { forgetLoginStep: null } : {});
  };
const CONNECTED = { forgetLoginStep: null, rememberPhone: { phone: PHONE } };

walkEveryPath(telegramModel, {
  "*": {
    holds: ({ context }) => {
      if (context.qrUrl !== null) expect(context.qrUrl).toMatch(/^tg:\/\/login/);
      expect([null, PHONE]).toContain(context.connectedPhone);
    },
  },
  checkingStatus: {
    after: ["start", "reading.retry", "connection.seen"],
    accepts: ["connection.seen"],
    holds: ({ context, calls }) => {
      expect(context.isUnchecked).toEqual(false);
      expect(calls).toEqual({ checkStatus: undefined });
    },
  },
  "disconnected.code": { holds: ({ context }) => expect(context.qrUrl).toEqual(null) },
  "disconnected.code.awaitingPhone": {
    after: {
      "done checkStatus": ({ event, context }) => {
        expect([event.output.connected, context.isUnchecked]).toEqual([false, false]);
        expect(context.connectedPhone).toEqual(event.output.phone);
      },
      "error checkStatus": ({ context }) => expect(context.isUnchecked).toEqual(true),
      "tab.choose": isSilent,
      "login.restart": (visit) => {
        isSilent(visit);
        expect(visit.effects).toEqual({ forgetLoginStep: null });
      },
      "done requestCode": refuses(SEND_FAILED),
      "error requestCode": showsMessage("error", SEND_FAILED),
      ...leaves,
    },
    accepts: ({ isUnchecked }) => [
      "phone.submit",
      "tab.choose",
      "connection.seen",
      ...(isUnchecked ? ["reading.retry"] : []),
    ],
  },
  "disconnected.code.requestingCode": {
    after: { "phone.submit": isSilent },
    accepts: ["tab.choose"],
    holds: ({ context, calls }) => {
      expect(context.phone).toEqual(PHONE);
      expect(calls).toEqual({ requestCode: { phone: PHONE } });
    },
  },
  "disconnected.code.awaitingCode": {
    after: {
      "done requestCode": ({ event, effects }) => {
        expect(event.output.kind).toEqual("codeSent");
        expect(effects).toEqual({ rememberLogin: { phone: PHONE, step: "code", hint: null } });
      },
      "done checkStatus": isResumed("code"),
      "error checkStatus": isResumed("code"),
      "done checkCode": clearsFinishedLogin(CODE_REFUSED),
      "error checkCode": isUnsure(CODE_REFUSED),
    },
    accepts: ["code.submit", "login.restart", "connection.seen"],
  },
  "disconnected.code.checkingCode": {
    after: { "code.submit": isSilent },
    holds: ({ calls }) => expect(calls).toEqual({ checkCode: { phone: PHONE, code: "12345" } }),
  },
  "disconnected.code.awaitingPassword": {
    after: {
      "done checkCode": (visit) => {
        needsPassword(visit);
        expect(visit.effects).toEqual({ rememberLogin: { phone: PHONE, step: "password", hint: "cat" } });
      },
      "done checkStatus": isResumed("password"),
      "error checkStatus": isResumed("password"),
      "done checkPassword": clearsFinishedLogin(PASSWORD_REFUSED),
      "error checkPassword": isUnsure(PASSWORD_REFUSED),
    },
    accepts: ["password.submit", "login.restart", "connection.seen"],
  },
  "disconnected.code.checkingPassword": {
    after: { "password.submit": isSilent },
    holds: ({ calls }) => expect(calls).toEqual({ checkPassword: { password: "open sesame" } }),
  },
  "disconnected.qr": { holds: ({ context }) => expect(context.phone).toEqual("") },
  "disconnected.qr.resting": {
    after: {
      ...unchecked("done cancelQr", "error cancelQr", "after cancelPatience"),
      "tab.choose": isSilent,
      "done startQr": refuses(QR_START_FAILED),
      "error startQr": showsMessage("error", QR_START_FAILED),
      "after qrLifetime": showsMessage("error", QR_EXPIRED),
      "done completeQr": ({ event, ...visit }) => {
        if (event.output.kind === "expired") showsMessage("error", QR_EXPIRED)({ event, ...visit });
        else refuses(QR_FAILED)({ event, ...visit });
      },
      "error completeQr": isUnsure(QR_FAILED),
    },
    accepts: ["qr.start", "tab.choose", "connection.seen"],
    holds: ({ context }) => expect(context.qrUrl).toEqual(null),
  },
  "disconnected.qr.starting": {
    after: { "qr.start": isSilent },
    holds: ({ calls }) => expect(calls).toEqual({ startQr: undefined }),
  },
  "disconnected.qr.awaitingApproval": {
    accepts: ["qr.cancel", "qr.renewed"],
    holds: ({ cause, event, before, context, calls }) => {
      expect(calls).toMatchObject({ completeQr: undefined });
      const qrUrl = cause === "qr.renewed" ? event.qrUrl : (event.output?.qrUrl ?? before.qrUrl);
      expect(context.qrUrl).toEqual(qrUrl);
    },
  },
  "disconnected.qr.awaitingApproval.showing": {
    after: {
      ...unchecked("qr.renewed", "error renewQr"),
      "done startQr": ({ event }) => expect(event.output.kind).toEqual("started"),
      "done renewQr": ({ event }) => expect(event.output.kind).toEqual("renewed"),
    },
    holds: ({ calls }) => expect("renewQr" in calls).toEqual(false),
  },
  "disconnected.qr.awaitingApproval.renewing": {
    after: ["after qrRenewal", "qr.renewed"],
    holds: isCalling("renewQr"),
  },
  "disconnected.qr.awaitingApproval.unrenewed": {
    after: { "done renewQr": ({ event }) => expect(event.output.kind).toEqual("unavailable"), "qr.renewed": null },
  },
  "disconnected.qr.awaitingPassword": {
    after: {
      "done completeQr": (visit) => {
        needsPassword(visit);
        showsMessage("info", "🔐 This account requires your Telegram password to finish login.")(visit);
      },
      "done checkQrPassword": refuses(QR_PASSWORD_REFUSED),
      "error checkQrPassword": isUnsure(QR_PASSWORD_REFUSED),
    },
    accepts: ["password.submit", "qr.cancel", "connection.seen"],
    holds: ({ context }) => expect(context.qrUrl).toEqual(null),
  },
  "disconnected.qr.checkingPassword": {
    after: { "password.submit": isSilent },
    accepts: ["qr.cancel"],
    holds: ({ calls }) => expect(calls).toEqual({ checkQrPassword: { password: "open sesame" } }),
  },
  "disconnected.qr.cancelling": {
    after: ["qr.cancel"],
    accepts: ["tab.choose"],
    holds: ({ context, calls }) => expect([context.qrUrl, calls]).toEqual([null, { cancelQr: undefined }]),
  },
  connected: { holds: ({ context }) => expect([context.isUnchecked, context.qrUrl]).toEqual([false, null]) },
  "connected.settled": {
    after: {
      "done checkStatus": ({ event, context, effects }) => {
        expect([event.output.connected, context.connectedPhone]).toEqual([true, PHONE]);
        expect(effects).toEqual(CONNECTED);
      },
      "connection.seen": ({ event, before, context, effects }) => {
        expect([event.status.connected, context.connectedPhone]).toEqual([true, PHONE]);
        if (context.message !== null && context.message !== before.message)
          expect(context.message.text).toEqual("✅ Telegram was connected in another window.");
        expect([CONNECTED, { rememberPhone: CONNECTED.rememberPhone }]).toContainEqual(effects);
      },
      // A response without a phone keeps the typed one.
      "done checkCode": ({ context, effects }) => {
        expect([context.connectedPhone, context.message]).toEqual([PHONE, null]);
        expect(effects).toEqual(CONNECTED);
      },
      "done checkPassword": ({ context }) => expect([context.connectedPhone, context.message]).toEqual([PHONE, null]),
      "done completeQr": showsMessage("success", "✅ Connected via QR."),
      "done checkQrPassword": showsMessage("success", "✅ Connected via QR + 2FA."),
      "done disconnect": refuses(DISCONNECT_FAILED),
      "done checkDisconnect": ({ event, before, context }) =>
        expect([event.output.connected, context]).toEqual([true, before]),
      "error checkDisconnect": isUnchanged,
    },
    accepts: ["account.disconnect", "connection.seen"],
    holds: ({ context }) => expect(context.connectedPhone).toEqual(PHONE),
  },
  "connected.checkingDisconnect": {
    after: {
      "error disconnect": showsMessage(
        "error",
        DISCONNECT_FAILED,
        "No response from the server. Telegram may be disconnected.",
      ),
    },
    holds: ({ calls }) => expect(calls).toEqual({ checkDisconnect: undefined }),
  },
  "connected.disconnecting": {
    after: { "account.disconnect": isSilent },
    holds: ({ calls }) => expect(calls).toEqual({ disconnect: undefined }),
  },
});

async function connectScreen(overrides: Partial<TelegramGateway> = {}, phone: string | null = null) {
  const remembered: (string | null)[] = [];
  const pending: (PendingLogin | null)[] = [];
  const page = fakePage();
  const clock = new SimulatedClock();
  const logic = createTelegram(page, {
    telegram: {
      fetchStatus: async () => ({ connected: false, phone: null }),
      sendCode: async () => {},
      verifyCode: async () => ({ success: true, phone: PHONE }),
      verifyPassword: async () => ({ success: true, phone: PHONE }),
      startQr: async () => ({ qrUrl: "tg://login?token=a" }),
      completeQr: () => new Promise(() => {}),
      fetchQr: async () => ({ qrUrl: "tg://login?token=b" }),
      cancelQr: async () => {},
      disconnect: async () => {},
      ...overrides,
    },
    phoneMemory: { write: (number) => remembered.push(number), clear: () => remembered.push(null) },
    loginMemory: { write: (login) => pending.push(login), clear: () => pending.push(null) },
  });
  const journey = await openJourney(logic, { input: { phone, login: null }, clock });
  return {
    ...journey,
    remembered,
    pending,
    notices: page.notices,
    isAt: (value: object) => journey.snapshot().matches(value),
    text: () => journey.context().message?.text ?? null,
    qrUrl: () => journey.context().qrUrl,
    publish: (type: string, data?: unknown) => (page.publish(type, data), settle()),
    wait: (milliseconds: number) => (clock.increment(milliseconds), settle()),
  };
}

const refusal = (status: number, body: unknown) => Promise.reject(Object.assign(new Error(), { status, body }));
const offline = () => Promise.reject(new Error("offline"));
const code = (state: string) => ({ disconnected: { code: state } });
const qr = (state: unknown) => ({ disconnected: { qr: state } });
const submit = { type: "code.submit", code: "12345" } as const;

async function atCode(overrides: Partial<TelegramGateway> = {}) {
  const screen = await connectScreen(overrides);
  await screen.go({ type: "phone.submit", phone: "+1 555 0100" });
  return screen;
}
async function atQr(overrides: Partial<TelegramGateway> = {}) {
  const screen = await connectScreen(overrides);
  await screen.go({ type: "tab.choose", tab: "qr" }, { type: "qr.start" });
  return screen;
}

test.each([
  ["silently after a code without response", true, null],
  ["with a message about another window otherwise", false, "✅ Telegram was connected in another window."],
])("shows a connection made elsewhere %s", async (_title, isAttempted, text) => {
  let isConnected = false;
  const fetchStatus = async () => ({ connected: isConnected, phone: null });
  const screen = await atCode({ fetchStatus, verifyCode: offline });
  isConnected = true;
  if (isAttempted) await screen.go(submit);
  else await screen.publish("telegram.changed");
  expect([screen.isAt({ connected: "settled" }), screen.text()]).toEqual([true, text]);
});

describe("signing in by code", () => {
  test("keeps its step over a reload, until the user changes the number", async () => {
    const { go, pending } = await atCode({ verifyCode: async () => ({ "2fa_required": true, hint: "cat" }) });
    await go(submit, { type: "code.submit", code: "unheard" });
    await go({ type: "login.restart" });
    const step = { phone: "+1 555 0100", step: "code", hint: null };
    expect(pending).toEqual([step, { ...step, step: "password", hint: "cat" }, null]);
  });

  test.each([
    ["the phone of the answer", { success: true, phone: PHONE }, PHONE],
    ["the phone that was typed when the answer has none", {}, "+1 555 0100"],
  ])("remembers %s", async (_title, answer, phone) => {
    const { go, remembered, context } = await atCode({ verifyCode: async () => answer });
    await go(submit);
    expect([remembered, context().connectedPhone]).toEqual([[phone], phone]);
  });

  test.each([
    ["as a key", { "2fa_required": true }],
    ["as the status", { status: "2fa_required" }],
    ["as the error", { error: "2fa_required" }],
    ["as the message", { message: "2fa_required" }],
    ["as the detail", { detail: "2fa_required" }],
  ])("asks for the two-step password when the server says so %s", async (_name, body) => {
    for (const verifyCode of [async () => body, () => refusal(401, body), () => refusal(400, body)]) {
      const { go, isAt, text } = await atCode({ verifyCode });
      await go(submit);
      expect([isAt(code("awaitingPassword")), text()]).toEqual([true, null]);
    }
  });

  test("asks for the password when an error mentions one", async () => {
    const { go, isAt } = await atCode({ verifyCode: () => refusal(400, { message: "Password is required." }) });
    await go(submit);
    expect(isAt(code("awaitingPassword"))).toEqual(true);
  });

  test("shows an invalid value at its field", async () => {
    const text = "Write the code.";
    const { go, isAt, context, snapshot } = await atCode({
      verifyCode: () => refusal(422, { code: "invalid_input", message: text, fields: { code: text } }),
    });
    await go({ type: "code.submit", code: "" });
    expect(isAt(code("awaitingCode"))).toEqual(true);
    expect(context().message).toMatchObject({ detail: text, isOfField: true });
    expect(selectFieldProblem(snapshot())).toEqual(text);
  });
});

describe("signing in by QR", () => {
  test("renews the QR code by event and request, and disables the code tab", async () => {
    let reads = 0;
    const fetchQr = () => ((reads += 1) > 1 ? refusal(404, {}) : Promise.resolve({ qrUrl: "tg://login?token=b" }));
    const { isAt, snapshot, qrUrl, publish, wait } = await atQr({ fetchQr });
    expect(selectIsCodeTabDisabled(snapshot())).toBe(true);
    await publish("telegram.qr", { qr_url: "tg://login?token=news" });
    expect(qrUrl()).toBe("tg://login?token=news");
    await wait(5_000);
    expect([qrUrl(), isAt(qr({ awaitingApproval: "showing" }))]).toEqual(["tg://login?token=b", true]);
    // A server that does not renew QR codes is not asked again.
    await wait(5_000);
    await wait(60_000);
    expect([qrUrl(), reads]).toEqual(["tg://login?token=b", 2]);
  });

  test.each([
    ["⏰ QR code expired. Please try again.", 408, null],
    ["❌ QR login failed. Please try again.", 401, null],
    ["❌ QR login failed. Please try again.", 500, "<html>"],
  ])("%s when the wait ends with %s", async (words, status, body) => {
    const { isAt, text } = await atQr({ completeQr: () => refusal(status, body) });
    expect([isAt(qr("resting")), text()]).toEqual([true, words]);
  });

  test("asks for the two-step password, and again after a wrong one", async () => {
    const answers = [
      refusal(422, { code: "password_invalid", message: "Wrong." }),
      Promise.resolve({ success: true, phone: "+15550111" }),
    ];
    const { go, snapshot, text } = await atQr({
      completeQr: () => refusal(401, { "2fa_required": true }),
      verifyPassword: () => answers.shift() as Promise<{ success: boolean }>,
    });
    expect(text()).toEqual("🔐 This account requires your Telegram password to finish login.");
    expect(selectIsCodeTabDisabled(snapshot())).toBe(true);
    await go({ type: "password.submit", password: "wrong" });
    expect(text()).toEqual("❌ Could not complete 2FA. Try again.");
    await go({ type: "password.submit", password: "right" });
    expect(text()).toEqual("✅ Connected via QR + 2FA.");
  });

  test("cancels the wait and the server's attempt, and allows a new one", async () => {
    const calls: string[] = [];
    const { go, isAt, text } = await atQr({
      cancelQr: async () => void calls.push("cancelled"),
      completeQr: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            calls.push("aborted");
            reject(signal.reason as Error);
          });
        }),
    });
    await go({ type: "qr.cancel" });
    expect([isAt(qr("resting")), calls, text()]).toEqual([true, ["aborted", "cancelled"], null]);
    await go({ type: "qr.start" });
    expect(isAt(qr({ awaitingApproval: "showing" }))).toEqual(true);
  });
});

describe("the connection", () => {
  test("shows the stored phone when the server names none, until disconnected", async () => {
    const { go, context, snapshot, text, remembered } = await connectScreen(
      { fetchStatus: async () => ({ connected: true, phone: null }) },
      PHONE,
    );
    expect(context().connectedPhone).toBe(PHONE);
    await go({ type: "account.disconnect" });
    expect(text()).toEqual("🔌 Disconnected from Telegram.");
    expect([remembered, selectSuggestedPhone(snapshot())]).toEqual([[PHONE, null], ""]);
  });

  test.each([
    ["done", () => Promise.resolve(), "🔌 Disconnected from Telegram."],
    ["refused", () => refusal(409, null), ["warning", "❌ Failed to disconnect."]],
    ["unanswered", offline, ["warning", "No response from the server. Telegram may be disconnected."]],
  ])("reports a disconnect as %s after the user leaves the screen", async (_how, answer, text) => {
    const gate = Promise.withResolvers<void>();
    const { go, chart, notices } = await connectScreen({
      fetchStatus: async () => ({ connected: true, phone: null }),
      disconnect: () => gate.promise.then(answer),
    });
    await go({ type: "account.disconnect" });
    chart.stop();
    gate.resolve();
    await settle();
    expect(notices).toEqual([text]);
  });

  test("reports an end from the phone at once, and follows another tab's connection", async () => {
    let isConnected = true;
    const { publish, isAt, text, snapshot } = await connectScreen({
      fetchStatus: async () => ({ connected: isConnected, phone: PHONE }),
    });
    isConnected = false;
    await publish("telegram.changed");
    expect(text()).toEqual("⚠️ Telegram ended this connection. Connect again to go on.");
    expect(selectSuggestedPhone(snapshot())).toEqual(PHONE);
    isConnected = true;
    await publish("telegram.changed");
    expect(isAt({ connected: "settled" })).toEqual(true);
  });

  test("follows another account that was connected elsewhere", async () => {
    let phone = PHONE;
    const { publish, context, remembered } = await connectScreen({
      fetchStatus: async () => ({ connected: true, phone }),
    });
    phone = "+15550111";
    await publish("telegram.changed");
    expect([context().connectedPhone, remembered]).toEqual(["+15550111", [PHONE, "+15550111"]]);
  });

  test.each([
    ["during the first check", false],
    ["with an older response on its way", true],
  ])("follows a connection made elsewhere %s", async (_title, isChecked) => {
    const answers: ((isConnected: boolean) => void)[] = [];
    const { publish, isAt } = await connectScreen({
      fetchStatus: (signal) =>
        new Promise((resolve, reject) => {
          answers.push((connected) => resolve({ connected, phone: PHONE }));
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    });
    const answer = (place: number, isConnected: boolean) => (answers.at(place)?.(isConnected), settle());
    if (isChecked) {
      await answer(0, false);
      await publish("telegram.changed");
    }
    await publish("telegram.changed");
    await answer(-1, true);
    // A check that the event started again.
    if (!isChecked) await answer(-1, true);
    await answer(isChecked ? 1 : 0, false);
    expect(isAt({ connected: "settled" })).toEqual(true);
  });
});
