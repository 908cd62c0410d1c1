import { MemoryStorage } from "@mtcute/core";
import { withTimeout, type Clock } from "../../core/clock.ts";
import { type TelegramConnection, createClient } from "../connection.ts";
import type { SessionKeys } from "./login-client.ts";

const MOST_MS = 8_000;

/**
 * Logs a session out at Telegram over its own connection.
 * @returns false when Telegram did not respond in time: the session stays in the account's list of devices
 */
export async function logOutSession(
  connection: TelegramConnection,
  clock: Clock,
  { authKeys, state }: Pick<SessionKeys, "authKeys" | "state">,
): Promise<boolean> {
  const storage = new MemoryStorage();
  for (const { dc, key } of authKeys) storage.authKeys.set(dc, key);
  const stored = storage.driver.getState("kv", () => new Map<string, Uint8Array>());
  for (const { key, value } of state) stored.set(key, value);
  const { client } = createClient(connection, storage, { receivesUpdates: false });
  client.onError.add(() => {});
  const loggedOut = client.connect().then(async () => {
    await client.call({ _: "auth.logOut" });
    return true;
  });
  try {
    return await withTimeout(clock, MOST_MS, loggedOut, () => false);
  } catch {
    return false;
  } finally {
    await client.destroy().catch(() => {});
  }
}
