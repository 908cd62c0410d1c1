import { parse } from "valibot";
import { UserSettings, type UserSettingsUpdate } from "../../domain/settings.ts";
import type { Http } from "./http.ts";

/** `/user_settings` of the product API. */
export const createSettingsGateway = (http: Http) => ({
  read: async (signal: AbortSignal): Promise<UserSettings> =>
    parse(UserSettings, (await http("/user_settings", { signal })) ?? {}),

  save: async (settings: UserSettingsUpdate) => {
    await http("/user_settings", { method: "POST", body: settings });
  },
});
