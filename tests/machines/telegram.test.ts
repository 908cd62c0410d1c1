import { describe, expect, test, vi } from "vitest";
import { type ContextFrom, SimulatedClock, createActor } from "xstate";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "../support/english.ts";
import {
  createTelegram,
  selectFieldProblem,
  selectIsCodeTabDisabled,
  selectSuggestedPhone,
} from "../../src/machines/telegram/telegram.machine.ts";
import type { PendingLogin } from "../../src/machines/telegram/telegram.outcomes.ts";
import type { createTelegramGateway } from "../../src/services/telegram.ts";
import { type Invariants, type Visit, unchecked } from "../support/invariants.ts";
import { fakePage } from "../support/page.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { telegramMachine, telegramModel } from "./telegram.model.ts";

type TelegramGateway = Omit<
  ReturnType<typeof createTelegramGateway>,
  "fetchAccount" | "saveDailyCap" | "resumeSending"
>;

const until = (assertion: () => void) => vi.waitFor(assertion, { interval: 1 });

type Connecting = ContextFrom<typeof telegramMachine>;

const PHONE = "+15550100";
const says =
  (tone: "error" | "success" | "info", text: string, detail: string | null = null) =>
  ({ context }: Visit<Connecting>) =>
    expect(context.message).toMatchObject({ tone, text, detail });
/** After an answer: what a refusal says has the server's own words. */
const refuses =
  (text: string) =>
  ({ event, ...visit }: Visit<Connecting>) => {
    expect(event.output.kind).toEqual("refused");
    says("error", text, "Wait 30 seconds.")({ event, ...visit });
  };
const isSilent = ({ context }: Visit<Connecting>) => expect(context.message).toEqual(null);
const needsPassword = ({ event, context }: Visit<Connecting>) =>
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
const isDisconnected = ({ context, effects, ...visit }: Visit<Connecting>) => {
  expect(context).toMatchObject({ phone: "", connectedPhone: null, passwordHint: null });
  expect(effects).toEqual({ forgetRememberedPhone: null });
  says("success", "🔌 Disconnected from Telegram.")({ context, effects, ...visit });
};
const leaves = {
  "connection.seen": says("error", LOST),
  "done disconnect": isDisconnected,
  "done checkDisconnect": isDisconnected,
};
/** After no answer: the connection is checked. */
const isUnsure =
  (text: string) =>
  ({ effects, ...visit }: Visit<Connecting>) => {
    expect(effects).toHaveProperty("sendTo");
    const detail = "No response from the server. If Telegram is connected after all, this page will show it.";
    says("error", text, detail)({ effects, ...visit });
  };

const isResumed =
  (step: PendingLogin["step"]) =>
  ({ before, context }: Visit<Connecting>) => {
    expect(before.pending?.step).toEqual(step);
    expect(context).toMatchObject({ phone: PHONE, pending: null, isUnchecked: false });
  };
const forgetsWhatIsOver =
  (text: string) =>
  ({ event, effects, ...visit }: Visit<Connecting>) => {
    refuses(text)({ event, effects, ...visit });
    expect(effects).toEqual(event.output.isOver ? { forgetLoginStep: null } : {});
  };
const CONNECTED = { forgetLoginStep: null, rememberPhone: { phone: PHONE } };

const invariants: Invariants<typeof telegramMachine> = {
  "*": {
    holds: ({ context, effects }) => {
      const isShowing = context.qrUrl !== null;
      if (isShowing) expect(context.qrUrl).toMatch(/^tg:\/\/login/);
      expect(context.connectedPhone === null || context.connectedPhone === PHONE).toEqual(true);
      expect(Object.keys(effects).every((name) => /Phone$|Login(Step)?$|^reportFailure$|^sendTo$/.test(name))).toEqual(
        true,
      );
    },
  },
  checkingStatus: {
    after: ["start", "reading.retry"],
    holds: ({ context, calls }) => {
      expect(context.isUnchecked).toEqual(false);
      expect(calls).toEqual({ checkStatus: undefined });
    },
  },
  "disconnected.code": { holds: ({ context }) => expect(context.qrUrl).toEqual(null) },
  "disconnected.code.awaitingPhone": {
    after: {
      "done checkStatus": ({ event, context }) =>
        expect([event.output.connected, context.isUnchecked]).toEqual([false, false]),
      "error checkStatus": ({ context }) => expect(context.isUnchecked).toEqual(true),
      "tab.choose": isSilent,
      "login.restart": (visit) => {
        isSilent(visit);
        expect(visit.effects).toEqual({ forgetLoginStep: null });
      },
      "done requestCode": refuses(SEND_FAILED),
      "error requestCode": says("error", SEND_FAILED),
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
      "done checkCode": forgetsWhatIsOver(CODE_REFUSED),
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
      "done checkPassword": forgetsWhatIsOver(PASSWORD_REFUSED),
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
      "error startQr": says("error", QR_START_FAILED),
      "after qrLifetime": says("error", QR_EXPIRED),
      "done completeQr": ({ event, ...visit }) => {
        if (event.output.kind === "expired") says("error", QR_EXPIRED)({ event, ...visit });
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
        says("info", "🔐 This account requires your Telegram password to finish login.")(visit);
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
  connected: {
    holds: ({ context }) => expect([context.isUnchecked, context.qrUrl]).toEqual([false, null]),
  },
  "connected.settled": {
    after: {
      "done checkStatus": ({ event, context, effects }) => {
        expect([event.output.connected, context.connectedPhone]).toEqual([true, PHONE]);
        expect(effects).toEqual(CONNECTED);
      },
      "connection.seen": ({ event, context, effects }) => {
        expect([event.status.connected, context.connectedPhone]).toEqual([true, PHONE]);
        if (context.message !== null)
          expect(context.message.text).toEqual("✅ Telegram was connected in another window.");
        expect(effects).toEqual(CONNECTED);
      },
      // An answer without a phone leaves the one that was typed.
      "done checkCode": ({ context, effects }) => {
        expect([context.connectedPhone, context.message]).toEqual([PHONE, null]);
        expect(effects).toEqual(CONNECTED);
      },
      "done checkPassword": ({ context }) => expect([context.connectedPhone, context.message]).toEqual([PHONE, null]),
      "done completeQr": says("success", "✅ Connected via QR."),
      "done checkQrPassword": says("success", "✅ Connected via QR + 2FA."),
      "done disconnect": refuses(DISCONNECT_FAILED),
      "done checkDisconnect": ({ event, before, context }) =>
        expect([event.output.connected, context]).toEqual([true, before]),
      "error checkDisconnect": ({ before, context }) => expect(context).toEqual(before),
    },
    accepts: ["account.disconnect", "connection.seen"],
    holds: ({ context }) => expect(context.connectedPhone).toEqual(PHONE),
  },
  "connected.checkingDisconnect": {
    after: {
      "error disconnect": says(
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
};

walkEveryPath(telegramMachine, telegramModel, invariants);

function connectScreen(
  overrides: Partial<TelegramGateway> = {},
  input: { phone: string | null; login: PendingLogin | null } = { phone: null, login: null },
) {
  const telegram: TelegramGateway = {
    fetchStatus: async () => ({ connected: false, phone: null }),
    sendCode: async () => {},
    verifyCode: async () => ({ success: true, phone: "+15550100" }),
    verifyPassword: async () => ({ success: true, phone: "+15550100" }),
    startQr: async () => ({ qrUrl: "tg://login?token=a" }),
    completeQr: () => new Promise(() => {}),
    fetchQr: async () => ({ qrUrl: "tg://login?token=b" }),
    cancelQr: async () => {},
    disconnect: async () => {},
    ...overrides,
  };
  const remembered: (string | null)[] = [];
  const pending: (PendingLogin | null)[] = [];
  const warnings: string[] = [];
  const said: string[] = [];
  const clock = new SimulatedClock();
  const fake = fakePage();
  const page = {
    ...fake,
    notifier: {
      ...fake.notifier,
      toast: (text: UiTextOrString) => void said.push(english(text)),
      warn: (text: UiTextOrString) => void said.push(`⚠ ${english(text)}`),
    },
    logger: { warn: (what: string) => void warnings.push(what) },
  };
  const news = {
    connection: () => fake.publish("telegram.changed"),
    qr: (qrUrl: string) => fake.publish("telegram.qr", { qr_url: qrUrl }),
  };
  const actor = createActor(
    createTelegram(page, {
      telegram,
      phoneMemory: { write: (phone) => remembered.push(phone), clear: () => remembered.push(null) },
      loginMemory: { write: (login) => pending.push(login), clear: () => pending.push(null) },
    }),
    { input, clock },
  ).start();
  const settled = (value: unknown) => until(() => expect(actor.getSnapshot().value).toEqual(value));
  const message = () => actor.getSnapshot().context.message;
  return { actor, clock, news, remembered, pending, warnings, said, settled, message };
}

const refusal = (status: number, body: unknown) => Promise.reject(Object.assign(new Error(), { status, body }));
const code = (state: string) => ({ disconnected: { code: state } });
const qr = (state: unknown) => ({ disconnected: { qr: state } });

async function atCode(overrides: Partial<TelegramGateway> = {}) {
  const screen = connectScreen(overrides);
  await screen.settled(code("awaitingPhone"));
  screen.actor.send({ type: "phone.submit", phone: "+1 555 0100" });
  await screen.settled(code("awaitingCode"));
  return screen;
}

test.each([
  ["after an unanswered code stays silent about another window", null],
  ["without an attempt names the other window", "✅ Telegram was connected in another window."],
])("a connection that is seen %s", async (_title, text) => {
  let isConnected = false;
  const { actor, news, settled, message } = await atCode({
    fetchStatus: async () => ({ connected: isConnected, phone: null }),
    verifyCode: () => {
      isConnected = true;
      return Promise.reject(new TypeError("Failed to fetch"));
    },
  });
  if (text === null) actor.send({ type: "code.submit", code: "12345" });
  else {
    isConnected = true;
    news.connection();
  }
  await settled({ connected: "settled" });
  expect(message()?.text ?? null).toEqual(text);
});

async function atQr(overrides: Partial<TelegramGateway> = {}) {
  const screen = connectScreen(overrides);
  await screen.settled(code("awaitingPhone"));
  screen.actor.send({ type: "tab.choose", tab: "qr" });
  screen.actor.send({ type: "qr.start" });
  return screen;
}

describe("a reload during a login by code", () => {
  const login = { phone: PHONE, step: "code", hint: null } as const;
  const restart = (pending: PendingLogin, overrides: Partial<TelegramGateway> = {}) =>
    connectScreen(overrides, { phone: null, login: pending });

  const offline = () => Promise.reject(new Error("offline"));
  test.each([
    ["the code", login, {}, "awaitingCode"],
    ["the password, with its hint", { ...login, step: "password", hint: "cat" } as const, {}, "awaitingPassword"],
    ["the code when the status cannot be read", login, { fetchStatus: offline }, "awaitingCode"],
  ])("continues at %s", async (_title, stored, overrides, step) => {
    const { actor, settled } = restart(stored, overrides);
    await settled(code(step));
    expect(actor.getSnapshot().context).toMatchObject({ phone: PHONE, passwordHint: stored.hint });
  });

  test("shows the connection when the login was finished elsewhere, and forgets the code", async () => {
    const { settled, pending } = restart(login, { fetchStatus: async () => ({ connected: true, phone: PHONE }) });
    await settled({ connected: "settled" });
    expect(pending).toEqual([null]);
  });

  test("keeps the step from each answer on, until another number is wanted or the account is connected", async () => {
    const { actor, settled, pending } = await atCode({
      verifyCode: async () => ({ "2fa_required": true, hint: "cat" }),
    });
    expect(pending.splice(0)).toEqual([{ phone: "+1 555 0100", step: "code", hint: null }]);
    actor.send({ type: "code.submit", code: "12345" });
    await settled(code("awaitingPassword"));
    expect(pending.splice(0)).toEqual([{ phone: "+1 555 0100", step: "password", hint: "cat" }]);
    actor.send({ type: "login.restart" });
    expect(pending.splice(0)).toEqual([null]);
  });
});

describe("signing in by code", () => {
  test.each([
    ["the phone of the answer", { success: true, phone: "+15550100" }, "+15550100"],
    ["the phone that was typed when the answer has none", {}, "+1 555 0100"],
  ])("remembers %s", async (_title, answer, phone) => {
    const { actor, remembered, settled } = await atCode({ verifyCode: async () => answer });
    actor.send({ type: "code.submit", code: "12345" });
    await settled({ connected: "settled" });
    expect([remembered, actor.getSnapshot().context.connectedPhone]).toEqual([[phone], phone]);
  });

  test.each([
    ["as a key", { "2fa_required": true }],
    ["as the status", { status: "2fa_required" }],
    ["as the error", { error: "2fa_required" }],
    ["as the message", { message: "2fa_required" }],
    ["as the detail", { detail: "2fa_required" }],
  ])("a two-step account is asked for its password when the server says so %s", async (_name, body) => {
    for (const verifyCode of [async () => body, () => refusal(401, body), () => refusal(400, body)]) {
      const { actor, settled } = await atCode({ verifyCode });
      actor.send({ type: "code.submit", code: "12345" });
      await settled(code("awaitingPassword"));
      expect(actor.getSnapshot().context.message).toBeNull();
    }
  });

  test("what is wrong with what was typed is told at its field", async () => {
    const text = "Write the code.";
    const { actor, settled, message } = await atCode({
      verifyCode: () => refusal(422, { code: "invalid_input", message: text, fields: { code: text } }),
    });
    actor.send({ type: "code.submit", code: "" });
    await settled(code("awaitingCode"));
    expect(message()).toMatchObject({ detail: text, isOfField: true });
    expect(selectFieldProblem(actor.getSnapshot())).toEqual(text);
  });
});

describe("signing in by QR", () => {
  test("while it waits the picture is renewed by news and by asking, and the code tab is closed", async () => {
    const { actor, clock, news, settled } = await atQr();
    await settled(qr({ awaitingApproval: "showing" }));
    expect(selectIsCodeTabDisabled(actor.getSnapshot())).toBe(true);
    news.qr("tg://login?token=news");
    expect(actor.getSnapshot().context.qrUrl).toBe("tg://login?token=news");
    clock.increment(5_000);
    await until(() => expect(actor.getSnapshot().context.qrUrl).toBe("tg://login?token=b"));
    await settled(qr({ awaitingApproval: "showing" }));
  });

  test("a server that renews no pictures keeps the first one and is asked once", async () => {
    const fetchQr = vi.fn<TelegramGateway["fetchQr"]>(() => refusal(404, {}));
    const { actor, clock, settled } = await atQr({ fetchQr });
    await settled(qr({ awaitingApproval: "showing" }));
    clock.increment(5_000);
    await settled(qr({ awaitingApproval: "unrenewed" }));
    clock.increment(60_000);
    expect(fetchQr).toHaveBeenCalledTimes(1);
    expect(actor.getSnapshot().context.qrUrl).toBe("tg://login?token=a");
  });

  test.each([
    ["⏰ QR code expired. Please try again.", 408, null],
    ["❌ QR login failed. Please try again.", 401, null],
    ["❌ QR login failed. Please try again.", 500, "<html>"],
  ])("%s when the wait ends with %s", async (text, status, body) => {
    const { settled, message } = await atQr({ completeQr: () => refusal(status, body) });
    await until(() => expect(message()?.text).toEqual(text));
    await settled(qr("resting"));
  });

  test("a wait without any answer expires by itself", async () => {
    const { clock, settled, message } = await atQr();
    await settled(qr({ awaitingApproval: "showing" }));
    clock.increment(125_000);
    await settled(qr("resting"));
    expect(message()?.text).toEqual("⏰ QR code expired. Please try again.");
  });

  test("a two-step account gives its password, wrong once", async () => {
    const verifyPassword = vi
      .fn<TelegramGateway["verifyPassword"]>()
      .mockImplementationOnce(() => refusal(422, { code: "password_invalid", message: "Wrong." }))
      .mockResolvedValueOnce({ success: true, phone: "+15550111" });
    const { actor, settled, message } = await atQr({
      completeQr: () => refusal(401, { "2fa_required": true }),
      verifyPassword,
    });
    await settled(qr("awaitingPassword"));
    expect(message()?.text).toEqual("🔐 This account requires your Telegram password to finish login.");
    expect(selectIsCodeTabDisabled(actor.getSnapshot())).toBe(true);
    actor.send({ type: "password.submit", password: "wrong" });
    await until(() => expect(message()?.text).toEqual("❌ Could not complete 2FA. Try again."));
    actor.send({ type: "password.submit", password: "right" });
    await settled({ connected: "settled" });
    expect(message()?.text).toEqual("✅ Connected via QR + 2FA.");
  });

  test("cancelling aborts the wait, tells the server and lets a new attempt start", async () => {
    let aborted = false;
    const cancelQr = vi.fn<TelegramGateway["cancelQr"]>(async () => {});
    const { actor, settled, message } = await atQr({
      cancelQr,
      completeQr: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(signal.reason as Error);
          });
        }),
    });
    await settled(qr({ awaitingApproval: "showing" }));
    actor.send({ type: "qr.cancel" });
    await settled(qr("resting"));
    expect({ aborted, cancels: cancelQr.mock.calls.length, message: message() }).toEqual({
      aborted: true,
      cancels: 1,
      message: null,
    });
    actor.send({ type: "qr.start" });
    await settled(qr({ awaitingApproval: "showing" }));
  });
});

describe("the connection", () => {
  test("a connected account is shown with the phone remembered here when the server names none", async () => {
    const { actor } = connectScreen(
      { fetchStatus: async () => ({ connected: true, phone: null }) },
      { phone: "+15550100", login: null },
    );
    await until(() => expect(actor.getSnapshot().matches({ connected: "settled" })).toBe(true));
    expect(actor.getSnapshot().context.connectedPhone).toBe("+15550100");
  });

  test.each([
    ["done", () => Promise.resolve(), "🔌 Disconnected from Telegram."],
    ["refused", () => refusal(409, null), "⚠ ❌ Failed to disconnect."],
    [
      "not answered",
      () => Promise.reject(new Error("offline")),
      "⚠ No response from the server. Telegram may be disconnected.",
    ],
  ])("a disconnect whose screen is left is told when it is %s", async (_how, answer, text) => {
    const gate = Promise.withResolvers<void>();
    const { actor, said, settled } = connectScreen({
      fetchStatus: async () => ({ connected: true, phone: null }),
      disconnect: () => gate.promise.then(answer),
    });
    await settled({ connected: "settled" });
    actor.send({ type: "account.disconnect" });
    actor.stop();
    gate.resolve();
    await until(() => expect(said).toEqual([text]));
  });

  test("disconnecting forgets the phone", async () => {
    const { actor, settled, message, remembered } = connectScreen({
      fetchStatus: async () => ({ connected: true, phone: "+15550100" }),
    });
    await settled({ connected: "settled" });
    actor.send({ type: "account.disconnect" });
    await settled(code("awaitingPhone"));
    expect(message()?.text).toEqual("🔌 Disconnected from Telegram.");
    expect(remembered).toEqual(["+15550100", null]);
    expect(actor.getSnapshot().context.connectedPhone).toBeNull();
  });

  test("the number of a lost account is filled in, and not that of one that the user disconnected", async () => {
    const lost = connectScreen({ fetchStatus: async () => ({ connected: false, phone: PHONE }) });
    await lost.settled(code("awaitingPhone"));
    expect(selectSuggestedPhone(lost.actor.getSnapshot())).toEqual(PHONE);
    const left = connectScreen({ fetchStatus: async () => ({ connected: true, phone: PHONE }) });
    await left.settled({ connected: "settled" });
    left.actor.send({ type: "account.disconnect" });
    await left.settled(code("awaitingPhone"));
    expect(selectSuggestedPhone(left.actor.getSnapshot())).toEqual("");
  });

  test("a session ended from the phone is told at once, one made in another tab is taken over", async () => {
    let isConnected = true;
    const { news, settled, message } = connectScreen({
      fetchStatus: async () => ({ connected: isConnected, phone: "+15550100" }),
    });
    await settled({ connected: "settled" });
    isConnected = false;
    news.connection();
    await settled(code("awaitingPhone"));
    expect(message()?.text).toEqual("⚠️ Telegram ended this connection. Connect again to go on.");
    isConnected = true;
    news.connection();
    await settled({ connected: "settled" });
  });
});
