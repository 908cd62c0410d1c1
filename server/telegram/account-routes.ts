import { reasonFields } from "../core/languages.ts";
import { TelegramAccount, TelegramAccountPatch } from "../../domain/telegram.ts";
import type { Deps } from "../core/deps.ts";
import { publishEvent } from "../core/bus.ts";
import { refuse } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";
import { DAILY_CAP_DEFAULT } from "../../domain/limits.ts";
import { restartAutomation } from "../settings/index.ts";
import { findConnected, findLatest, isLost } from "./sessions.ts";

const tag = "Telegram";
const RESUME_AFTER_MS = 3_600_000;

/**
 * Registers the routes for the connected account's health and limits. `sentToday` counts cold messages of the current day, like the daily
 * limit.
 */
export function registerAccountRoutes(
  route: Route,
  deps: Deps,
  options: { sentToday(userId: string): Promise<number> },
): void {
  const { db, bus, clock } = deps;
  const health = async (userId: string): Promise<TelegramAccount> => {
    const account = await findLatest(db, userId);
    if (account === undefined) return { ...nothing };
    const connected = account.state === "connected";
    const paused = account.paused_until !== null && Date.parse(account.paused_until) > clock.now();
    return {
      connected,
      phone: connected ? account.phone : null,
      connected_at: connected ? account.connected_at : null,
      last_activity_at: account.last_activity_at,
      paused_until: paused ? account.paused_until : null,
      paused_reason: paused ? account.paused_reason : null,
      ...reasonFields("stopped_reason", account.stopped_at === null ? null : account.stopped_reason),
      unusable_since: connected ? account.unusable_since : null,
      device: connected ? account.device : null,
      daily_cap: account.daily_cap,
      sent_today: await options.sentToday(userId),
      ...reasonFields("ended_reason", isLost(account) ? account.ended_reason : null),
      ended_at: isLost(account) ? account.ended_at : null,
    };
  };

  route({
    method: "GET",
    url: "/api/telegram/account",
    scope: "read",
    id: "readTelegramAccount",
    summary: "Read the health of the connected account, or why it is no longer connected",
    tag,
    gate: "subscribed",
    answer: TelegramAccount,
    handler: ({ caller }) => health(caller.id),
  });
  route({
    method: "PATCH",
    url: "/api/telegram/account",
    scope: "write",
    id: "changeTelegramAccount",
    summary: "Change the daily limit of cold messages",
    refuses: { 409: ["not_connected"] },
    tag,
    gate: "subscribed",
    body: TelegramAccountPatch,
    answer: TelegramAccount,
    async handler({ caller, body }) {
      const account = await connectedOrConflict(caller.id);
      await db.transaction().execute(async (tx) => {
        await tx
          .updateTable("telegram_sessions")
          .set({ daily_cap: body.daily_cap })
          .where("id", "=", account.id)
          .where("user_id", "=", caller.id)
          .execute();
        await publishEvent(bus, caller.id, "telegram.changed", {}, tx);
        await bus.publish("outbox.ready", { owner_id: caller.id }, tx);
      });
      return health(caller.id);
    },
  });
  route({
    method: "POST",
    url: "/api/telegram/account/resume",
    scope: "send",
    id: "resumeTelegramAccount",
    summary: "Resume automated sends after Telegram's spam limit",
    description: "Possible one hour after the limit at the earliest.",
    refuses: { 409: ["not_connected", "resume_too_early"] },
    tag,
    gate: "subscribed",
    answer: TelegramAccount,
    async handler({ caller }) {
      const account = await connectedOrConflict(caller.id);
      if (account.stopped_at !== null) {
        const left = Math.ceil((Date.parse(account.stopped_at) + RESUME_AFTER_MS - clock.now()) / 1000);
        if (left > 0) throw refuse(409, "resume_too_early", { seconds: left });
        await db.transaction().execute(async (tx) => {
          await tx
            .updateTable("telegram_sessions")
            .set({ stopped_at: null, stopped_reason: null })
            .where("id", "=", account.id)
            .where("user_id", "=", caller.id)
            .execute();
          await restartAutomation(tx, caller.id, clock.iso());
          await publishEvent(bus, caller.id, "telegram.changed", {}, tx);
          await bus.publish("outbox.ready", { owner_id: caller.id }, tx);
        });
      }
      return health(caller.id);
    },
  });

  const connectedOrConflict = async (userId: string) => {
    const account = await findConnected(db, userId);
    if (account === undefined) throw refuse(409, "not_connected", { reason: "account" });
    return account;
  };
}

const nothing: TelegramAccount = {
  connected: false,
  phone: null,
  connected_at: null,
  last_activity_at: null,
  paused_until: null,
  paused_reason: null,
  stopped_reason: null,
  device: null,
  daily_cap: DAILY_CAP_DEFAULT,
  sent_today: 0,
};
