import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const tests = path.join(import.meta.dirname, "..");
/** Vitest runs these once per file. */
const SETUP = ["support/setup-dom.ts"];

it("registers no hooks in test helpers, which files of a worker share", () => {
  const withHooks = fs
    .readdirSync(tests, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test|\.walk|\.spec)\.tsx?$/.test(file) && !SETUP.includes(file))
    .filter((file) => /^(before|after)(Each|All)\(/m.test(fs.readFileSync(path.join(tests, file), "utf8")));
  expect(withHooks).toEqual([]);
});
