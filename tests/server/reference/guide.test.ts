import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { freePort } from "../../support/ports.ts";
import { sharedServer } from "../../support/server.ts";

const BREAK = "=== next ===";

const server = await sharedServer({ WEBHOOK_ALLOW_PRIVATE: "1" });

/** Returns the commands of a page, each with the output that the page documents. */
function commandsOf(page: string): { command: string; printed: string | null }[] {
  const commands: { command: string; printed: string | null }[] = [];
  for (const [, language, block = ""] of page.matchAll(/^```(bash|text)\n([\s\S]*?)^```$/gm)) {
    if (language === "bash") commands.push({ command: block, printed: null });
    else commands.at(-1)!.printed = block;
  }
  return commands;
}

/** Returns a pattern for documented output, in which … matches any text. */
const patternOf = (printed: string): RegExp => {
  const parts = printed.trim().split("…");
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join("[^]*?")}$`);
};

test("runs every command of docs/api.md as documented", async () => {
  const commands = commandsOf(fs.readFileSync("docs/api.md", "utf8"));
  const folder = fs.mkdtempSync(path.join(server.dataDir, "guide-"));
  for (const name of ["client", "node_modules"]) fs.symlinkSync(path.resolve(name), path.join(folder, name));
  const script = commands.map(({ command }) => `${command}\nprintf '\\n%s\\n' '${BREAK}'\n`).join("");
  const here = script.replaceAll("http://127.0.0.1:3000", server.url).replaceAll("4005", String(await freePort()));
  const file = path.join(server.dataDir, "guide.sh");
  fs.writeFileSync(file, `set -euo pipefail\n${here}`);
  const shell = spawn("bash", [file], { cwd: folder, timeout: 150_000 });
  const [out, err] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, "close")]);
  const outputs = out.split(BREAK).map((output) => output.trim());
  const results = commands.map(({ command, printed }, index) => ({ command, printed, output: outputs[index] ?? "" }));
  const wrong = results.find(({ printed, output }) => printed !== null && !patternOf(printed).test(output));
  const isDone = shell.exitCode === 0 && wrong === undefined;
  expect({ ended: shell.exitCode, ...wrong, complaints: isDone ? "" : err }).toEqual({ ended: 0, complaints: "" });
  expect(outputs.length - 1).toBe(commands.length);
  expect(fs.readdirSync(folder).toSorted()).toEqual(["client", "node_modules"]);
}, 180_000);
