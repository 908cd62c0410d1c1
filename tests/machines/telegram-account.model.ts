import type { TelegramAccount } from "../../domain/telegram.ts";
import { createTelegramAccount } from "../../src/machines/telegram-account/telegram-account.machine.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

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

export const telegramAccountModel = modelOf(createTelegramAccount(fakePage()), {
  events: [
    ...done("fetchAccount", account, null),
    ...failedWrites("saveDailyCap", "resumeSending"),
    { type: "cap.submit", dailyCap: 50 },
  ],
});
