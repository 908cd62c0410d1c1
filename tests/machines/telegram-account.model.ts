import type { TelegramAccount } from "../../domain/telegram.ts";
import { createTelegramAccount } from "../../src/machines/telegram-account/telegram-account.machine.ts";
import { done, failedWrites } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const telegramAccountMachine = createTelegramAccount(fakePage());

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

export const telegramAccountModel: WalkedModel = {
  events: [
    ...done("fetchAccount", account, null),
    ...failedWrites("saveDailyCap", "resumeSending"),
    { type: "cap.submit", dailyCap: 50 },
  ],
  project: ({ value, context }) => [value, context.account === null, context.problem],
  provide: overPending(telegramAccountMachine),
};
