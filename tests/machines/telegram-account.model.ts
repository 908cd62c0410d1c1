import type { AnyEventObject } from "xstate";
import type { TelegramAccount } from "../../domain/telegram.ts";
import { telegramAccountMachine } from "../../src/machines/telegram-account/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const account: TelegramAccount = {
  connected: true,
  phone: "+15550100",
  connected_at: "2026-03-05T09:00:00Z",
  last_activity_at: null,
  paused_until: null,
  paused_reason: null,
  stopped_reason: "Telegram limits this account.",
  device: "Leadloom",
  daily_cap: 200,
  sent_today: 12,
};
const calls = ["fetchAccount", "saveDailyCap", "resumeSending"];
const events: AnyEventObject[] = [
  { type: "xstate.done.actor.fetchAccount", output: account },
  { type: "xstate.done.actor.fetchAccount", output: null },
  ...calls.map((id) => ({ type: `xstate.error.actor.${id}`, error: new Error("offline") })),
  { type: "cap.submit", dailyCap: 50 },
];

export const telegramAccountModel: WalkedModel = {
  events,
  project: ({ value, context }) => [value, context.account === null, context.problem],
  provide: overPending(telegramAccountMachine),
};
