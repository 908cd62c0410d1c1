import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino, type Logger } from "pino";
import { SCOPES } from "../../domain/api-key.ts";
import { createBus } from "../../server/core/bus.ts";
import type { Clock } from "../../server/core/clock.ts";
import { readConfig } from "../../server/core/config.ts";
import type { Deps } from "../../server/core/deps.ts";
import { createJobs } from "../../server/core/jobs.ts";
import { openLanguages } from "../../server/core/languages.ts";
import { unauthorized } from "../../server/core/problem.ts";
import { createWork } from "../../server/core/work.ts";
import { openDatabase, type DbOrTx } from "../../server/db/index.ts";
import { testDatabase } from "./database.ts";
import { addRow } from "./rows.ts";
import { untilIdle } from "./waiting.ts";

/** Opens a database and a data folder for one test server. `close` deletes both. */
export async function openStore() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-parts-"));
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  const work = createWork();
  return {
    dataDir,
    opened,
    work,
    /** The address for other processes; null for the database in memory. */
    databaseUrl: database.options.kind === "postgres" ? database.options.url : null,
    /** Resolves when all work that is due now is done. */
    idle: () => untilIdle(work),
    async close() {
      await opened.close();
      await database.drop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
export type Store = Awaited<ReturnType<typeof openStore>>;

/** Creates the dependencies of one server process on a store. An unreadable bus message fails the test. */
export async function partsOn<C extends Clock>(
  { dataDir, opened: { db, engine }, work }: Pick<Store, "dataDir" | "opened" | "work">,
  clock: C,
  { env = {}, logger = pino({ level: process.env["TEST_LOG"] ?? "silent" }) }: PartsOptions = {},
): Promise<Deps & { clock: C }> {
  const config = readConfig({ LEADLOOM_DATA: dataDir, LOG_LEVEL: "silent", ...env });
  const onBadMessage = (error: unknown) => {
    throw error;
  };
  const bus = await createBus(db, engine, onBadMessage, work);
  const jobs = createJobs({ engine, clock, logger, work }, { runsWork: false });
  return { config, db, engine, clock, bus, jobs, languages: openLanguages(), logger, work };
}
type PartsOptions = { env?: Record<string, string> | undefined; logger?: Logger | undefined };

/** Signs in the user whose id is the bearer token. A second word names an API key of that user with every scope. */
export async function signInById({ headers: { authorization } }: { headers: { authorization?: string | undefined } }) {
  const [, id, name] = authorization?.split(" ") ?? [];
  if (id === undefined) throw unauthorized();
  const key = name === undefined ? null : { id: name, name, scopes: SCOPES };
  return { id, email: "", sessionId: "", claims: { sub: id, role: "authenticated" as const }, key };
}

/** Adds the database row of a user who signed up. */
export async function addAuthUser(db: DbOrTx, email?: string): Promise<{ id: string; email: string }> {
  const id = randomUUID();
  const user = { id, email: email ?? `${id}@example.com` };
  await addRow(db, "auth.users", { ...user, encrypted_password: "-" });
  return user;
}
