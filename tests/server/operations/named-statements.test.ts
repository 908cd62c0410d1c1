import { expect, it } from "vitest";
import { readConfig } from "../../../server/core/config.ts";

it.each([
  ["postgres://u@db.example.com:5432/postgres", {}, true],
  ["postgres://u@pooler.example.com:6543/postgres?sslmode=require", {}, false],
  ["postgres://u@pooler.example.com:6543/postgres", { DATABASE_NAMED_STATEMENTS: "1" }, true],
  ["postgres://u@db.example.com/postgres", { DATABASE_NAMED_STATEMENTS: "0" }, false],
])("at %s with %o statements are named: %s", (url, more, expected) => {
  const { database } = readConfig({ DATABASE_URL: url, SUPABASE_JWT_SECRET: "x".repeat(32), ...more });
  expect(database.kind === "postgres" && database.limits.namedStatements).toBe(expected);
});
