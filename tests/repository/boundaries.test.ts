import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../server/", import.meta.url));
const files = fs
  .readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file: file.replaceAll(path.sep, "/"), text: fs.readFileSync(path.join(root, file), "utf8") }));
const holding = (pattern: RegExp): string[] => files.flatMap(({ file, text }) => (pattern.test(text) ? [file] : []));

it("messages enter the outbox by one way alone", () => {
  expect(holding(/insert\s+into\s+(public\.)?outbox\b(?!_)|insertInto\(\s*"outbox"/i)).toEqual(["outbox/enqueue.ts"]);
});

it("the simulated outside is loaded once it is chosen, never with the server", () => {
  expect(holding(/from\s+"[^"]*\/sandbox\//)).toEqual([]);
  expect(holding(/import\(\s*"[^"]*\/sandbox\//)).toEqual(["server.ts"]);
});

it("sessions of a Postgres are opened where their limits are set", () => {
  expect(holding(/new pg\.(Pool|Client)\(/)).toEqual(["db/postgres.ts"]);
});
