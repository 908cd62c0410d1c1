import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { openDatabase, type DatabaseOptions } from "../../server/db/index.ts";
import { schemaFingerprint } from "../../server/db/migrate.ts";

const cache = fileURLToPath(new URL("../../node_modules/.cache/leadloom", import.meta.url));
let databases = 0;

/** A migrated, empty store to start from: made once per schema, then copied. */
async function template(): Promise<Uint8Array> {
  const file = path.join(cache, `schema-${schemaFingerprint()}.tar`);
  if (!fs.existsSync(file)) {
    const { engine, close } = await openDatabase({ kind: "pglite", dataDir: null });
    const dump = await engine.dump("none");
    await close();
    fs.mkdirSync(cache, { recursive: true });
    fs.writeFileSync(`${file}.${process.pid}`, dump);
    fs.renameSync(`${file}.${process.pid}`, file);
  }
  return new Uint8Array(fs.readFileSync(file));
}

/**
 * A database of the test's own: in memory, or on the real Postgres that TEST_DATABASE_URL names.
 * `drop` takes it away again once it is closed.
 */
export async function testDatabase(): Promise<{ options: DatabaseOptions; drop(): Promise<void> }> {
  const server = process.env["TEST_DATABASE_URL"];
  if (server === undefined)
    return { options: { kind: "pglite", dataDir: null, template: await template() }, drop: async () => {} };
  databases += 1;
  const name = `leadloom_test_${process.pid}_${databases}_${Date.now().toString(36)}`;
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await admin(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { options: { kind: "postgres", url: url.href }, drop: () => admin(`drop database ${name} with (force)`) };
}
