import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Pool, PoolClient } from "./pool.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const migrationsFolder = path.join(root, "supabase/migrations");
const bootstrapFile = fileURLToPath(new URL("./bootstrap.sql", import.meta.url));
const MIGRATION_LOCK = 7_351_001;

export type Migration = { version: string; name: string; sql: string; checksum: string };

/** Returns the SQL files of supabase/migrations, ordered by version, with the names that the Supabase CLI uses. */
export function readMigrations(): Migration[] {
  return fs
    .readdirSync(migrationsFolder)
    .filter((file) => file.endsWith(".sql"))
    .toSorted()
    .map((file) => {
      const sql = fs.readFileSync(path.join(migrationsFolder, file), "utf8");
      const [version = "", ...name] = file.replace(/\.sql$/, "").split("_");
      return { version, name: name.join("_"), sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

/** Returns a hash of the migrations; a prepared copy of the schema can be reused while the hash stays the same. */
export function schemaFingerprint(): string {
  const all = [fs.readFileSync(bootstrapFile, "utf8"), ...readMigrations().map(({ checksum }) => checksum)];
  return createHash("sha256").update(all.join("\n")).digest("hex").slice(0, 16);
}

/**
 * Migrates the database to the newest schema: each file once, in its own transaction, one process at a time. Applied versions are stored
 * where the Supabase CLI stores them, so both can migrate the same database.
 * @returns the versions applied now
 * @throws when an applied file was changed afterwards, or when a newer release has migrated this database
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await prepare(client);
    return await applyMissing(client);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]).catch(() => {});
    client.release();
  }
}

async function prepare(client: PoolClient): Promise<void> {
  if (!(await ownsSupabaseAuth(client))) await client.query(fs.readFileSync(bootstrapFile, "utf8"));
  await client.query(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
    alter table supabase_migrations.schema_migrations add column if not exists checksum text;`);
}

/** Creates the newest schema in an empty database, within the caller's transaction. */
export async function makeSchema(client: PoolClient): Promise<void> {
  await prepare(client);
  for (const migration of readMigrations()) {
    await client.query(migration.sql);
    await note(client, migration);
  }
}

const note = (client: PoolClient, { version, name, checksum }: Migration) =>
  client.query("insert into supabase_migrations.schema_migrations (version, name, checksum) values ($1, $2, $3)", [
    version,
    name,
    checksum,
  ]);

/** Whether the database belongs to a Supabase project. */
export async function ownsSupabaseAuth(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query("select 1 from pg_roles where rolname = 'supabase_auth_admin'");
  return rows.length > 0;
}

async function applyMissing(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ version: string; checksum: string | null }>(
    "select version, checksum from supabase_migrations.schema_migrations",
  );
  refuseNewer(rows);
  const applied = new Map(rows.map((row) => [row.version, row.checksum]));
  const now: string[] = [];
  for (const migration of readMigrations()) {
    const known = applied.get(migration.version);
    if (known !== undefined) {
      if (known !== null && known !== migration.checksum) {
        throw new Error(
          `Migration ${migration.version}_${migration.name} was changed after it was applied. Add a new file instead.`,
        );
      }
      continue;
    }
    await client.query("begin");
    try {
      await client.query(migration.sql);
      await note(client, migration);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw new Error(`Migration ${migration.version}_${migration.name} failed: ${(error as Error).message}`, {
        cause: error,
      });
    }
    now.push(migration.version);
  }
  return now;
}

/** Throws if a newer release has migrated the database. Only its own versions have a checksum; the Supabase CLI stores none. */
function refuseNewer(applied: { version: string; checksum: string | null }[]): void {
  const newest = readMigrations().at(-1)?.version ?? "";
  const newer = applied.filter(({ version, checksum }) => checksum !== null && version > newest);
  if (newer.length === 0) return;
  throw new Error(
    `A newer release has migrated this database (to ${newer
      .map(({ version }) => version)
      .toSorted()
      .at(-1)}; this release knows ${newest}). ` +
      `Start that release, or restore the backup from before the upgrade: see "Upgrades" in docs/operations.md.`,
  );
}

export async function isMigrated(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations where version = any($1)",
    [readMigrations().map(({ version }) => version)],
  );
  return rows.length === readMigrations().length;
}
