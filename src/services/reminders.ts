import { parse } from "valibot";
import { type Reminder, ReminderList } from "../../domain/reminder.ts";
import type { Http } from "./http.ts";

type NewReminder = {
  type: string;
  stage: string;
  delay_days: number | null;
  channel_id: string;
  template: string;
};

/** `/reminders` of the product API. */
export const createRemindersGateway = (http: Http) => ({
  list: async (signal: AbortSignal): Promise<Reminder[]> => parse(ReminderList, await http("/reminders", { signal })),

  add: async ({ type, stage, delay_days, channel_id, template }: NewReminder, signal: AbortSignal) => {
    const body = { type, stage, delay_days, channel_id, template };
    await http("/reminders", { method: "POST", body, signal });
  },

  setEnabled: async ({ id, isEnabled }: { id: string; isEnabled: boolean }, signal: AbortSignal) => {
    await http(pathOf(id), { method: "PATCH", body: { is_enabled: isEnabled }, signal });
  },

  remove: async ({ id }: { id: string }, signal: AbortSignal) => {
    await http(pathOf(id), { method: "DELETE", signal });
  },
});

const pathOf = (id: string) => `/reminders/${encodeURIComponent(id)}`;
