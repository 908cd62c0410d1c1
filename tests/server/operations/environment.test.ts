import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { announcement } from "../../../server/announcement.ts";
import { type ConfigError, readConfig } from "../../../server/core/config.ts";
import { newFolder } from "../../support/run-folder.ts";

const dataDir = newFolder();

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig({ LEADLOOM_DATA: dataDir, ...env });
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};
const production = {
  NODE_ENV: "production",
  LEADLOOM_SANDBOX: "1",
  ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
  DATABASE_URL: "postgres://user:password@host/leadloom",
};
const project = {
  SUPABASE_URL: "https://project.supabase.co",
  SUPABASE_ANON_KEY: "sb_publishable_1",
  SUPABASE_SERVICE_ROLE_KEY: "sb_secret_1",
};

test("announces the addresses to open, with the sandbox's while a part is simulated", () => {
  const telegram = { TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "0".repeat(32) };
  const stripe = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1", STRIPE_PRICE_ID: "price_1" };
  const real = { ...telegram, ...stripe };
  const announced = (env: Record<string, string>, isWebBuilt = true) =>
    announcement(readConfig({ LEADLOOM_DATA: dataDir, PUBLIC_URL: "https://crm.example", ...env }), isWebBuilt).slice(
      4,
    );
  const [open, sandbox] = ["open https://crm.example", "sandbox: https://crm.example/sandbox"];
  for (const env of [{}, telegram, stripe]) expect(announced(env)).toEqual([sandbox, open]);
  expect(announced(real)).toEqual([open]);
  expect(announced(real, false)).toEqual(["the browser code is not built: run npm run build, or npm run dev", open]);
  expect(announced({ DATABASE_URL: production.DATABASE_URL, ROLE: "worker" })).toEqual(["worker is running"]);
});

test("reads no variable that docs/operations.md does not list", () => {
  const source = fs.readFileSync("server/core/config.ts", "utf8");
  const [, listed = ""] = fs.readFileSync("docs/operations.md", "utf8").split("## Variables");
  const read = new Set(source.match(/(?<=")[A-Z][A-Z0-9]*(_[A-Z0-9]+)*(?=")/g));
  expect(read.size).toBeGreaterThan(40);
  expect([...read].filter((name) => !new RegExp(`\\b${name}\\b`).test(listed))).toEqual([]);
});

test.each([
  ["0.0.0.0", "http://localhost:3000"],
  ["::", "http://localhost:3000"],
  ["::1", "http://[::1]:3000"],
  ["10.0.0.5", "http://10.0.0.5:3000"],
])("on HOST=%s announces %s", (host, address) => {
  expect(readConfig({ LEADLOOM_DATA: dataDir, HOST: host }).publicUrl).toBe(address);
});

test("requires a secret in production on Postgres without Supabase", () => {
  expect(problemsOf(production)).toEqual([
    "SUPABASE_JWT_SECRET must be set in production with DATABASE_URL: every process signs and checks access tokens with it.",
  ]);
  expect(problemsOf({ ...production, SUPABASE_JWT_SECRET: "x".repeat(32) })).toEqual([]);
  expect(problemsOf({ ...production, ...project })).toEqual([]);
});

test("uses the secret in the data folder on one machine, and refuses a short one", () => {
  expect(problemsOf({ DATABASE_URL: production.DATABASE_URL })).toEqual([]);
  expect(problemsOf({ SUPABASE_JWT_SECRET: "secret" })).toEqual([
    "SUPABASE_JWT_SECRET must have 32 characters or more: openssl rand -base64 32.",
  ]);
});

test("reads a variable from a file named by NAME_FILE, and names a missing file", () => {
  const file = path.join(dataDir, "jwt-secret");
  fs.writeFileSync(file, `${"y".repeat(32)}\n`);
  const { auth } = readConfig({ LEADLOOM_DATA: dataDir, SUPABASE_JWT_SECRET_FILE: file });
  expect(auth).toMatchObject({ kind: "embedded", jwtSecret: "y".repeat(32) });
  expect(problemsOf({ SUPABASE_JWT_SECRET_FILE: `${file}.gone` })).toEqual([
    `SUPABASE_JWT_SECRET_FILE cannot be read: ENOENT: no such file or directory, open '${file}.gone'`,
  ]);
  fs.writeFileSync(file, "\n");
  expect(problemsOf({ DATABASE_URL_FILE: file })).toEqual(["DATABASE_URL_FILE cannot be read: it is empty"]);
});

test("refuses two encryption keys of one version, and an incomplete Supabase address", () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");
  expect(problemsOf({ ENCRYPTION_KEYS: `1:${key(1)},2:${key(2)}` })).toEqual([]);
  expect(problemsOf({ ENCRYPTION_KEYS: `1:${key(1)},1:${key(2)}` })).toEqual([
    "ENCRYPTION_KEYS must give each key a different version.",
  ]);
  const DATABASE_URL = production.DATABASE_URL;
  expect(problemsOf({ ...project, DATABASE_URL, SUPABASE_URL: "project.supabase.co" })).toEqual([
    'SUPABASE_URL must be an http(s) address, not "project.supabase.co".',
  ]);
});

test("names a wrong host or data folder", () => {
  expect(problemsOf({ HOST: "0.0.0.0:3000" })).toEqual([
    'HOST must be a host name or an IP address, not "0.0.0.0:3000".',
  ]);
  const file = path.join(dataDir, "no-folder");
  fs.writeFileSync(file, "");
  expect(problemsOf({ LEADLOOM_DATA: file })).toEqual([
    `LEADLOOM_DATA cannot be used: ENOTDIR: not a directory, open '${file}/secrets.json'`,
  ]);
});

test("refuses to start with an invalid limit", () => {
  const url = "postgres://x@127.0.0.1/x";
  expect(problemsOf({ DATABASE_URL: url, DATABASE_POOL_SIZE: "1", DATABASE_QUERY_MS: "2000" })).toEqual([
    'DATABASE_POOL_SIZE must be a whole number from 2 to 500, not "1".',
    "DATABASE_QUERY_MS must be greater than DATABASE_STATEMENT_MS: the database gives up first, and says why.",
  ]);
});

test.each([
  ["postgres://u@db.example.com:5432/postgres", {}, true],
  ["postgres://u@pooler.example.com:6543/postgres?sslmode=require", {}, false],
  ["postgres://u@pooler.example.com:6543/postgres", { DATABASE_NAMED_STATEMENTS: "1" }, true],
  ["postgres://u@db.example.com/postgres", { DATABASE_NAMED_STATEMENTS: "0" }, false],
])("at %s with %o names statements: %s", (url, more, expected) => {
  const { database } = readConfig({ DATABASE_URL: url, SUPABASE_JWT_SECRET: "x".repeat(32), ...more });
  expect(database.kind === "postgres" && database.limits.namedStatements).toBe(expected);
});
