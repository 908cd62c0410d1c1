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

it("inserts into the outbox in one place only", () => {
  expect(holding(/insert\s+into\s+(public\.)?outbox\b(?!_)|insertInto\(\s*"outbox"/i)).toEqual(["outbox/enqueue.ts"]);
});

it("loads the sandbox only when configured", () => {
  expect(holding(/from\s+"[^"]*\/sandbox\//)).toEqual([]);
  expect(holding(/import\(\s*"[^"]*\/sandbox\//)).toEqual(["server.ts"]);
});

it("opens Postgres sessions only where their limits are set", () => {
  expect(holding(/new pg\.(Pool|Client)\(/)).toEqual(["db/postgres.ts"]);
});

it("has no import cycle between features, and none from core to features", () => {
  const imports = new Map<string, Set<string>>();
  for (const { file, text } of files) {
    const [feature = "", ...rest] = file.split("/");
    const targets = [...text.matchAll(/(?:from|import\() ?"(\.\.?\/[^"]+)"/g)]
      .map(([, target = ""]) => path.posix.join(path.posix.dirname(file), target).split("/"))
      .flatMap(([folder = "", ...inside]) => (inside.length > 0 && ![feature, ".."].includes(folder) ? [folder] : []));
    if (rest.length > 0) imports.set(feature, new Set([...(imports.get(feature) ?? []), ...targets]));
  }
  expect([...(imports.get("core") ?? [])]).toEqual(["db"]);
  const parts = new Map([...imports].filter(([feature]) => feature !== "core" && feature !== "db"));
  // Repeatedly removes parts that import no remaining part; only cycles remain.
  const free = () => [...parts].find(([, targets]) => ![...targets].some((target) => parts.has(target)))?.[0];
  for (let feature = free(); feature !== undefined; feature = free()) parts.delete(feature);
  expect([...parts.keys()]).toEqual([]);
});
