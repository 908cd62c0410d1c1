import { parse } from "valibot";
import { Reminder, ReminderList } from "../../domain/reminder.ts";
import type { Http } from "./http.ts";

type NewReminder = {
  type: string;
  stage: string;
  delay_days: number;
  channel_id: string;
  template: string;
};

export const createRemindersGateway = (http: Http) => ({
  list: async (signal: AbortSignal): Promise<Reminder[]> => parse(ReminderList, await http("/reminders", { signal })),

  add: async (body: NewReminder) => {
    await http("/reminders", { method: "POST", body, once: true });
  },

  setEnabled: async ({ id, isEnabled }: { id: string; isEnabled: boolean }) => {
    await http(pathOf(id), { method: "PATCH", body: { is_enabled: isEnabled } });
  },

  remove: async ({ id }: { id: string }) => {
    await http(pathOf(id), { method: "DELETE" });
  },

  /** Restores one deleted within the last minute. */
  restore: async ({ id }: { id: string }): Promise<Reminder> =>
    parse(Reminder, await http(`${pathOf(id)}/restore`, { method: "POST" })),
});

const pathOf = (id: string) => `/reminders/${encodeURIComponent(id)}`;
