import * as v from "valibot";
import { QR_TIMEOUT_SECONDS } from "../../domain/limits.ts";
import { LoginResult, QrStarted, TelegramAccount, TelegramStatus } from "../../domain/telegram.ts";
import { nullOn } from "../../domain/problem.ts";
import type { Http } from "./http.ts";

const QrRenewed = v.object({ qr_url: v.pipe(v.string(), v.minLength(1)) });

/** A login's response; an empty body counts as success. */
const loginOf = (body: unknown) => v.parse(LoginResult, body ?? {});

/** The calls of /telegram. Reject with HttpError if refused, with valibot's error if the response is invalid. */
export const createTelegramGateway = (http: Http) => ({
  async fetchStatus(signal: AbortSignal) {
    const status = v.parse(TelegramStatus, await http("/telegram/status", { signal }));
    return { connected: status.connected, phone: status.phone || null };
  },
  async sendCode(body: { phone: string }, signal: AbortSignal) {
    await http("/telegram/send-code", { method: "POST", body, signal });
  },
  async verifyCode(body: { phone: string; code: string }) {
    return loginOf(await http("/telegram/verify-code", { method: "POST", body }));
  },
  async verifyPassword(body: { password: string }) {
    return loginOf(await http("/telegram/verify-password", { method: "POST", body }));
  },
  /** Resolves to no address if the server sent none. */
  async startQr(signal: AbortSignal) {
    const started = v.parse(QrStarted, await http("/telegram/qr-start", { method: "POST", body: {}, signal }));
    return { qrUrl: started.qr_url || null };
  },
  /** Waits for the phone's approval, at most two minutes; then rejects with 408. */
  async completeQr(signal: AbortSignal) {
    const body = { timeout_sec: QR_TIMEOUT_SECONDS };
    return loginOf(await http("/telegram/qr-complete", { method: "POST", body, signal }));
  },
  async fetchQr(signal: AbortSignal) {
    return { qrUrl: v.parse(QrRenewed, await http("/telegram/qr", { signal })).qr_url };
  },
  async cancelQr() {
    await http("/telegram/qr-cancel", { method: "POST", body: {} });
  },
  async disconnect() {
    await http("/telegram/disconnect", { method: "POST" });
  },
  /** The account's health; null if the server lacks the route. */
  fetchAccount: (signal: AbortSignal): Promise<TelegramAccount | null> =>
    http("/telegram/account", { signal }).then((answer) => v.parse(TelegramAccount, answer), nullOn(404)),
  async saveDailyCap(input: { dailyCap: number }) {
    await http("/telegram/account", { method: "PATCH", body: { daily_cap: input.dailyCap } });
  },
  async resumeSending() {
    await http("/telegram/account/resume", { method: "POST" });
  },
});
