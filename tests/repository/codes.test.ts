import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { readMessage } from "../../domain/field-problems.ts";
import { PROBLEM_MESSAGES } from "../../domain/problem-messages.ts";

const root = path.join(import.meta.dirname, "../..");
const sourcesOf = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));

/** Collects the messages of a schema and of all schemas and checks inside it. */
function collectMessages(value: unknown, seen: Set<unknown>, messages: string[]): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if ("kind" in value && "message" in value && typeof value.message === "string") messages.push(value.message);
  for (const part of Object.values(value)) collectMessages(part, seen, messages);
}

it("has a code for each message of a schema, so that the page can translate it", async () => {
  const seen = new Set<unknown>();
  const messages: string[] = [];
  for (const file of globSync("domain/*.ts", { cwd: root }))
    // oxlint-disable-next-line no-await-in-loop -- one after another is fast enough
    for (const exported of Object.values((await import(path.join(root, file))) as object))
      collectMessages(exported, seen, messages);
  expect(messages.length).toBeGreaterThan(50);
  expect([...new Set(messages)].filter((message) => readMessage(message).code === null)).toEqual([]);
});

/** Files that pass on errors of another server or of the simulated parts, which have their own codes. */
const FORWARDING = ["server/core/problem.ts", "server/mcp/own-api.ts", "server/telegram/login/forwarding.ts"];

it("answers only with codes whose message the page can translate", () => {
  const sources = sourcesOf("server/**/*.ts");
  const codes = sources.flatMap(({ text }) =>
    [...text.matchAll(/\b(?:refuse|nameTaken|refuseSignIn|ProblemError)\((?:\s*\d+,)?\s*"(\w+)"/g)].map(
      ([, code = ""]) => code,
    ),
  );
  expect(codes.length).toBeGreaterThan(100);
  // The parameters of this code say what is invalid.
  const known = new Set([...Object.keys(PROBLEM_MESSAGES), "invalid_input"]);
  expect(codes.filter((code) => !known.has(code))).toEqual([]);
  const raised = sources.filter(({ text }) => /new ProblemError\((?!\s*\d+,\s*")/.test(text)).map(({ file }) => file);
  expect(raised.filter((file) => !FORWARDING.includes(file))).toEqual([]);
});
