import { MemoryStorage, type tl } from "@mtcute/core";
import type { BaseTelegramClient, TelegramClient } from "@mtcute/node";
import { withTimeout, type Clock } from "../../core/clock.ts";
import { telegramUnreachable } from "./problems.ts";
import { type TelegramConnection, createClient } from "../connection.ts";

const CALL_TIMEOUT_MS = 20_000;
export const DC_IDS = [1, 2, 3, 4, 5];

/** A logged-in session. These keys give full access to the account. */
export type SessionKeys = {
  user: { id: string; phone: string | null };
  authKeys: { dc: number; key: Uint8Array }[];
  state: { key: string; value: Uint8Array }[];
  /** the account's update position at this login */
  updates: { pts: number; qts: number; date: number; seq: number };
};

/** A client that is not logged in yet. Its keys stay in memory until the login succeeds. */
export type LoginClient = {
  client: TelegramClient;
  base: BaseTelegramClient;
  /** Calls once, with a time limit. */
  call: TelegramClient["call"];
  /** Closes the connection and returns the session. */
  handOver(user: tl.RawUser): Promise<SessionKeys>;
  close(): Promise<void>;
};

/** @throws ProblemError 503 when Telegram does not respond in time */
export async function openLoginClient(connection: TelegramConnection, clock: Clock): Promise<LoginClient> {
  const storage = new MemoryStorage();
  const { client, base } = createClient(connection, storage, { receivesUpdates: false });
  const limited = client.withParams({ timeout: CALL_TIMEOUT_MS, maxRetryCount: 1, floodSleepThreshold: 0 });
  const close = () => client.destroy().catch(() => {});
  client.onError.add(() => {});
  await withTimeout(clock, CALL_TIMEOUT_MS, client.connect(), async () => {
    await close();
    throw telegramUnreachable();
  });
  return {
    client: limited,
    base,
    call: limited.call.bind(limited),
    close,
    async handOver(user) {
      const { pts, qts, date, seq } = await limited.call({ _: "updates.getState" });
      await close();
      const authKeys = DC_IDS.flatMap((dc) => {
        const key = storage.authKeys.get(dc);
        return key === null ? [] : [{ dc, key }];
      });
      const state = storage.driver.getState("kv", () => new Map<string, Uint8Array>());
      return {
        user: { id: String(user.id), phone: user.phone === undefined ? null : `+${user.phone.replace(/^\+/, "")}` },
        authKeys,
        state: [...state].map(([key, value]) => ({ key, value })),
        updates: { pts, qts, date, seq },
      };
    },
  };
}
