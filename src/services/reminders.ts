import { type InferInput, parse } from "valibot";
import { Reminder, type ReminderCreate, ReminderList } from "../../domain/reminder.ts";
import type { Http } from "./http.ts";

export const createRemindersGateway = (http: Http) => ({
  list: async (signal: AbortSignal): Promise<Reminder[]> => parse(ReminderList, await http("/reminders", { signal })),

  add: async (body: InferInput<typeof ReminderCreate>) => {
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
