import {
  LoginOutcome,
  QrComplete,
  QrCode,
  SendCode,
  TelegramStatus,
  VerifyCode,
  VerifyPassword,
} from "../../domain/telegram.ts";
import { audit } from "../core/audit.ts";
import type { Deps } from "../core/deps.ts";
import { notFound } from "../core/problem.ts";
import { type Route, disconnectSignal } from "../core/routes.ts";
import { disconnectAccount } from "./connect.ts";
import type { LoginAnswer } from "./login/attempt.ts";
import type { LoginFlows } from "./login/flows.ts";
import { findLatest, isLost } from "./sessions.ts";

const tag = "Telegram";
/** Refusals by Telegram at any step of a login. */
const LOGIN_REFUSALS = {
  409: ["account_in_use", "other_login"],
  422: [
    "code_invalid",
    "code_expired",
    "login_expired",
    "login_refused",
    "password_invalid",
    "phone_banned",
    "phone_invalid",
    "phone_unregistered",
  ],
  429: ["phone_flood", "too_many_codes"],
  503: ["telegram_app_refused", "telegram_unreachable", "login_not_saved"],
} as const;

/** Registers the routes that connect and disconnect the user's Telegram account. */
export function registerLoginRoutes(route: Route, deps: Deps, logins: LoginFlows): void {
  route({
    method: "GET",
    url: "/api/telegram/status",
    scope: "read",
    id: "readTelegramStatus",
    summary: "Read whether a Telegram account is connected",
    description: "If Telegram ended the session, with its phone number for the next login.",
    tag,
    gate: "subscribed",
    answer: TelegramStatus,
    async handler({ caller }) {
      const account = await findLatest(deps.db, caller.id);
      if (account === undefined) return { connected: false };
      const connected = account.state === "connected";
      return { connected, ...(connected || isLost(account) ? { phone: account.phone } : {}) };
    },
  });
  route({
    method: "POST",
    url: "/api/telegram/send-code",
    scope: "person",
    id: "sendLoginCode",
    summary: "Request a login code from Telegram",
    refuses: LOGIN_REFUSALS,
    tag,
    gate: "subscribed",
    body: SendCode,
    async handler({ caller, body, request }) {
      await logins.sendCode({ userId: caller.id, phone: body.phone, address: request.ip });
      await audit(deps.db, { userId: caller.id, action: "telegram_code_requested", at: deps.clock.iso() });
      return { success: true };
    },
  });
  route({
    method: "POST",
    url: "/api/telegram/verify-code",
    scope: "person",
    id: "verifyLoginCode",
    summary: "Log in with the code",
    description: "An account with a two-step password answers `2fa_required`.",
    refuses: LOGIN_REFUSALS,
    tag,
    gate: "subscribed",
    body: VerifyCode,
    answer: LoginOutcome,
    handler: async ({ caller, body, reply }) =>
      asResult(await logins.run(caller.id, { name: "verify-code", ...body }, disconnectSignal(reply))),
  });
  route({
    method: "POST",
    url: "/api/telegram/verify-password",
    scope: "person",
    id: "verifyLoginPassword",
    summary: "Complete a login by code or QR with the two-step password",
    refuses: LOGIN_REFUSALS,
    tag,
    gate: "subscribed",
    body: VerifyPassword,
    answer: LoginOutcome,
    handler: async ({ caller, body, reply }) =>
      asResult(await logins.run(caller.id, { name: "verify-password", ...body }, disconnectSignal(reply))),
  });
  route({
    method: "POST",
    url: "/api/telegram/qr-start",
    scope: "person",
    id: "startQrLogin",
    summary: "Start a login by QR code",
    refuses: LOGIN_REFUSALS,
    tag,
    gate: "subscribed",
    answer: QrCode,
    handler: async ({ caller }) => asQr(await logins.startQr(caller.id)),
  });
  route({
    method: "GET",
    url: "/api/telegram/qr",
    scope: "person",
    id: "readQrCode",
    summary: "Read the current QR code",
    description: "It changes about every thirty seconds.",
    refuses: { 404: ["not_found"] },
    tag,
    gate: "subscribed",
    answer: QrCode,
    waitsElsewhere: () => true,
    handler: async ({ caller, reply }) =>
      asQr(
        await logins.run(caller.id, { name: "qr-url" }, disconnectSignal(reply)).catch(() => {
          throw notFound();
        }),
      ),
  });
  route({
    method: "POST",
    url: "/api/telegram/qr-complete",
    scope: "person",
    id: "completeQrLogin",
    summary: "Wait until the QR code is scanned",
    description: "401 with `2fa_required` for an account with a two-step password.",
    also: { 401: "The account requires its two-step password" },
    refuses: { ...LOGIN_REFUSALS, 408: ["qr_expired"] },
    tag,
    gate: "subscribed",
    body: QrComplete,
    answer: LoginOutcome,
    async handler({ caller, body, reply }) {
      const command = { name: "qr-complete", timeoutSeconds: body.timeout_sec } as const;
      const answer = await logins.run(caller.id, command, disconnectSignal(reply));
      if (answer.result === "password_needed") reply.status(401);
      return asResult(answer);
    },
  });
  route({
    method: "POST",
    url: "/api/telegram/qr-cancel",
    scope: "person",
    id: "cancelLogin",
    summary: "Cancel a login in progress",
    tag,
    gate: "subscribed",
    async handler({ caller }) {
      await logins.cancel(caller.id);
      return { success: true };
    },
  });
  route({
    method: "POST",
    url: "/api/telegram/disconnect",
    scope: "person",
    id: "disconnectTelegram",
    summary: "Log out of Telegram and erase the session",
    tag,
    gate: "subscribed",
    async handler({ caller }) {
      await logins.cancel(caller.id);
      await disconnectAccount(deps, caller.id);
      return { success: true };
    },
  });
}

function asResult(answer: LoginAnswer) {
  return answer.result === "password_needed"
    ? { "2fa_required": true, hint: answer.hint }
    : { success: true, phone: answer.result === "connected" ? answer.phone : null };
}

const asQr = (answer: LoginAnswer) =>
  answer.result === "qr" ? { qr_url: answer.qr_url, expires_at: answer.expires_at } : { qr_url: null };
