import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

it("forgets the last build when the next one fails, whose files it may have replaced", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "leadloom-build-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const place = (name: string) => path.join(folder, name);
  for (const name of ["scripts", "dist/web", "node_modules"]) mkdirSync(place(name), { recursive: true });
  for (const name of ["scripts/build.mjs", "scripts/setup.mjs"]) cpSync(name, place(name));
  const lock = "{}";
  writeFileSync(place("package-lock.json"), lock);
  writeFileSync(place("node_modules/.leadloom-lock"), createHash("sha256").update(lock).digest("hex"));
  writeFileSync(place("dist/web/index.html"), "");
  writeFileSync(place("dist/web.fingerprint"), "of the release before");
  writeFileSync(place("scripts/statecharts.ts"), "process.exit(1);");
  const { status, stderr } = spawnSync(process.execPath, [place("scripts/build.mjs")], { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, "leadloom · the build failed; see its output above.\n"]);
  expect(existsSync(place("dist/web.fingerprint"))).toBe(false);
});
