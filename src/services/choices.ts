import { parse } from "valibot";
import { Settings } from "../../domain/settings.ts";
import type { Http } from "./http.ts";

/** `/settings`: what holds for all conversations. */
export const createChoicesGateway = (http: Http) => ({
  readReceipts: async (signal: AbortSignal): Promise<boolean> =>
    parse(Settings, await http("/settings", { signal })).read_receipts,
  /** Resolves to what holds from now on. */
  saveReceipts: async ({ isOn }: { isOn: boolean }): Promise<boolean> =>
    parse(Settings, await http("/settings", { method: "PATCH", body: { read_receipts: isOn } })).read_receipts,
});
