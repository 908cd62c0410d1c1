import { parse } from "valibot";
import { UserSettings, type UserSettingsUpdate } from "../../domain/settings.ts";
import type { Http } from "./http.ts";
import { createVersions } from "./versions.ts";

/** `/user_settings` of the product API. A save sends the version that was read. */
export const createAutomationSettingsGateway = (http: Http, versions = createVersions()) => ({
  read: async (signal: AbortSignal): Promise<UserSettings> =>
    parse(UserSettings, versions.keep(await http.raw("/user_settings", { signal })) ?? {}),

  save: async (settings: UserSettingsUpdate) => {
    const headers = versions.headers();
    versions.keep(await http.raw("/user_settings", { method: "POST", body: settings, headers }));
  },
});
