import { spawn, type ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { readConfig } from "../../../server/core/config.ts";
import { systemClock } from "../../../server/core/clock.ts";
import type { OpenDatabase } from "../../../server/db/index.ts";
import { createAuthKeys } from "../../../server/telegram/storage/auth-keys.ts";
import { createVault } from "../../../server/core/vault.ts";
import { createAccount } from "../../../sandbox/telegram/controls/accounts.ts";
import { runNetwork } from "../../../sandbox/telegram/network.ts";
import { keyById, signInKey } from "../../../sandbox/telegram/world/logins.ts";
import { freePort } from "../../../tests/support/ports.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const HELD_WITHIN_MS = 600_000;
const FIRST_PHONE = 15_550_000_000;

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A worker process of the product. */
export type Worker = { pid: number; url: string; stop(): Promise<void> };

/** Accounts in the database, all logged in to a simulated network in this process. */
export type Installation = {
  /** Starts a worker; resolves when it is running. */
  startWorker(env?: Record<string, string>): Promise<Worker>;
  /** Resolves when every account is held by a running worker and no connection is being opened. */
  allHeld(): Promise<void>;
  /** Resolves when each running worker holds its share of the accounts and no connection is being opened. */
  allShared(): Promise<void>;
  /** Returns the keys of the accounts that receive updates now. */
  keysReceivingUpdates(): Set<string>;
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
};

export async function openInstallation(options: {
  database: OpenDatabase;
  databaseUrl: string;
  accounts: number;
  print: (line: string) => void;
}): Promise<Installation> {
  const { database, accounts, print } = options;
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-scale-"));
  const folder = path.join(dataDir, "sandbox");
  const network = await runNetwork({ dir: folder, clock: systemClock });
  const { world, publicKeyPem } = network;
  const telegram = { dcs: world.dcs, mainDcId: world.mainDcId, publicKeyPem };
  const addresses = { telegram, billing: { host: "127.0.0.1", port: 9, priceId: "price_none" } };
  fs.writeFileSync(path.join(folder, "addresses.json"), JSON.stringify(addresses));
  print(`writing ${accounts} accounts`);
  await writeAccounts(database, dataDir, network, accounts);
  const workers = new Map<ChildProcess, Worker>();

  return {
    async startWorker(env = {}) {
      const port = await freePort();
      const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server/main.ts"], {
        cwd: root,
        stdio: ["ignore", "ignore", "inherit"],
        env: {
          PATH: process.env["PATH"],
          ROLE: "worker",
          PORT: String(port),
          LEADLOOM_DATA: dataDir,
          DATABASE_URL: options.databaseUrl,
          LOG_LEVEL: "error",
          ...env,
        },
      });
      const url = `http://127.0.0.1:${port}`;
      const lives = () =>
        fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await lives())) {
        if (child.exitCode !== null) throw new Error("a worker did not start");
        await pause(100);
      }
      const worker: Worker = {
        pid: child.pid ?? 0,
        url,
        async stop() {
          workers.delete(child);
          child.kill("SIGKILL");
          await once(child, "exit");
        },
      };
      workers.set(child, worker);
      return worker;
    },
    async allHeld() {
      for (const end = Date.now() + HELD_WITHIN_MS; ;) {
        const held = await database.db
          .selectFrom("telegram_sessions")
          .innerJoin("telegram_workers", "telegram_workers.id", "telegram_sessions.lease_owner")
          .select(({ fn }) => fn.countAll<string>().as("count"))
          .where("telegram_workers.ended_at", "is", null)
          .where("telegram_workers.lease_until", ">", sql<string>`clock_timestamp()`)
          .executeTakeFirstOrThrow();
        if (Number(held.count) === accounts) return pause(3_000);
        if (Date.now() > end) throw new Error(`only ${held.count} of ${accounts} accounts are held`);
        await pause(500);
      }
    },
    async allShared() {
      const share = Math.floor(accounts / workers.size);
      for (const end = Date.now() + HELD_WITHIN_MS; ;) {
        const held = await database.db
          .selectFrom("telegram_sessions")
          .innerJoin("telegram_workers", "telegram_workers.id", "telegram_sessions.lease_owner")
          .select(({ fn }) => fn.countAll<string>().as("count"))
          .where("telegram_workers.ended_at", "is", null)
          .where("telegram_workers.lease_until", ">", sql<string>`clock_timestamp()`)
          .groupBy("telegram_workers.id")
          .execute();
        if (held.filter(({ count }) => Number(count) >= share).length === workers.size) return pause(10_000);
        if (Date.now() > end) throw new Error(`accounts held per worker: ${held.map(({ count }) => count).join(", ")}`);
        await pause(500);
      }
    },
    keysReceivingUpdates: () => network.core.sessions.keysReceivingUpdates(),
    stopWorkers: async () => void (await Promise.all([...workers.values()].map((worker) => worker.stop()))),
    async close() {
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
      await network.close();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A user with a subscription and a logged-in account. */
export type WrittenAccount = { userId: string; accountId: string; telegramUserId: number; phone: string };

/** Writes users with their accounts, as two thousand logins would have done. @param first the number of the first user */
export async function writeAccounts(
  { db }: Pick<OpenDatabase, "db">,
  dataDir: string,
  { world }: Awaited<ReturnType<typeof runNetwork>>,
  count: number,
  first = 0,
): Promise<WrittenAccount[]> {
  const vault = createVault(readConfig({ LEADLOOM_DATA: dataDir }).encryptionKeys);
  const now = systemClock.iso();
  const written: WrittenAccount[] = [];
  for (let number = first; number < first + count; number += 1) {
    const phone = `+${FIRST_PHONE + number}`;
    const key = randomBytes(256);
    const telegramUserId = world.store.transaction(() => {
      const account = createAccount(world, { phone });
      const id = createHash("sha1").update(key).digest().subarray(12, 20).toString("hex");
      world.store.run(
        "insert into auth_keys (id, key, dc_id, first_salt, created_at, layer) values (?, ?, ?, ?, ?, 198)",
        id,
        key,
        account.dc_id,
        randomBytes(8),
        Math.floor(Date.now() / 1000),
      );
      const made = keyById(world, id);
      if (made !== undefined) signInKey(world, made, account.user_id);
      return account.user_id;
    });
    await db.transaction().execute(async (tx) => {
      const user = await tx
        .insertInto("auth.users")
        .values({
          email: `seller-${number}@example.com`,
          encrypted_password: "-",
          email_confirmed_at: now,
          last_sign_in_at: now,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await tx.insertInto("subscriptions").values({ user_id: user.id, status: "active" }).execute();
      const session = await tx
        .insertInto("telegram_sessions")
        .values({
          user_id: user.id,
          telegram_user_id: String(telegramUserId),
          phone,
          device: "scale",
          connected_at: now,
          ended_reason: null,
          paused_reason: null,
          stopped_reason: null,
          lease_owner: null,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await createAuthKeys(tx, vault, { accountId: session.id, userId: user.id }).set(world.mainDcId, key);
      await tx
        .insertInto("telegram_state")
        .values({ account_id: session.id, key: "current_user", value: currentUser(telegramUserId) })
        .execute();
      written.push({ userId: user.id, accountId: session.id, telegramUserId, phone });
    });
  }
  return written;
}

/** Encodes the logged-in user as mtcute does: a version, no flags, and the id as the two halves of a double. */
function currentUser(id: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeInt32LE(1, 0);
  bytes.writeBigInt64LE(BigInt(id), 8);
  return bytes;
}
