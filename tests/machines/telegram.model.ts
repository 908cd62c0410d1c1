import type { AnyEventObject } from "xstate";
import { createTelegram } from "../../src/machines/telegram/telegram.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, modelOf } from "../support/model.ts";

const memory = { write: () => {}, clear: () => {} };
const telegramMachine = createTelegram(fakePage(), { phoneMemory: memory, loginMemory: memory });

const connected = { kind: "connected", phone: "+15550100" };
const passwordNeeded = { kind: "passwordNeeded", hint: "cat" };
const refused = { kind: "refused", detail: "Wait 30 seconds." };
const over = { ...refused, isOver: true };

/** Calls whose failure is shown on the screen. */
const REPORTED = [
  "requestCode",
  "checkCode",
  "checkPassword",
  "startQr",
  "completeQr",
  "renewQr",
  "checkQrPassword",
  "disconnect",
];

const events: AnyEventObject[] = [
  ...["checkStatus", "checkDisconnect"].flatMap((id) =>
    done(id, { connected: true, phone: "+15550100" }, { connected: false, phone: "+15550100" }),
  ),
  ...done("requestCode", { kind: "codeSent" }, refused),
  ...done("checkCode", connected, { kind: "connected", phone: null }, passwordNeeded, refused, over),
  ...done("checkPassword", connected, refused, over),
  ...done("startQr", { kind: "started", qrUrl: "tg://login?token=a" }, refused),
  ...done("completeQr", connected, passwordNeeded, { kind: "expired" }, refused),
  ...done("renewQr", { kind: "renewed", qrUrl: "tg://login?token=b" }, { kind: "unavailable" }),
  ...done("checkQrPassword", connected, refused),
  ...done("disconnect", { kind: "disconnected" }, refused),
  { type: "tab.choose", tab: "code" },
  { type: "tab.choose", tab: "qr" },
  { type: "phone.submit", phone: "+15550100" },
  { type: "code.submit", code: "12345" },
  { type: "password.submit", password: "open sesame" },
  { type: "qr.renewed", qrUrl: "tg://login?token=c" },
  { type: "connection.seen", status: { connected: true, phone: "+15550100" } },
  { type: "connection.seen", status: { connected: false, phone: null } },
];
export const telegramModel = modelOf(telegramMachine, {
  inputs: [
    { phone: null, login: null },
    { phone: null, login: { phone: "+15550100", step: "code", hint: null } },
    { phone: null, login: { phone: "+15550100", step: "password", hint: "cat" } },
  ],
  unreported: REPORTED,
  events,
  project: ({ value, context }) => [value, context.isUnchecked, context.message?.isUnanswered === true],
  delays: { qrLifetime: 125_000, qrRenewal: 5_000, cancelPatience: 3_000 },
});
