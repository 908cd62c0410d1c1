import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const commands: [string[], usage: string][] = [
  [["scripts/cluster.mjs"], "npm run cluster -- --web 2 --worker 2"],
  [["scripts/screenshots.ts"], "npm run screenshots -- [--out FOLDER [--language LANGUAGE]] [screen ...]"],
  [["server/db/backup-now.ts"], "npm run backup"],
  [["server/db/restore.ts"], "npm run restore -- FILE"],
  [["server/db/migrate-embedded.ts"], "npm run migrate:embedded -- --to postgres://user:password@host/database"],
  [["tools/image/try.mjs"], "npm run image:try"],
  [["tools/mutation/draw.ts"], "node tools/mutation/draw.ts [--seed N]"],
  [["tools/bench/main.ts", "web"], "npm run bench -- web [--runs N --only PARTS]"],
  [["tools/chaos/main.ts", "fuzz"], "npm run chaos -- fuzz"],
];

it.each(commands)("prints the usage of %j for --help and an unknown option", (command, usage) => {
  const answerTo = (option: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...command, option], { encoding: "utf8" });
    return { status, output: `${stdout}${stderr}` };
  };
  expect(answerTo("--help")).toEqual({ status: 0, output: expect.stringContaining(`usage: ${usage}\n`) });
  const wrong = answerTo("--nonsense");
  expect(wrong).toEqual({ status: 2, output: expect.stringContaining(`usage: ${usage}\n`) });
  expect(wrong.output).not.toContain("    at ");
});

it("refuses an unknown topic of a benchmark, which would report that every budget is met", () => {
  const command = ["tools/bench/main.ts", "scale", "--only", "idel"];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
  expect([status, stderr]).toEqual([2, expect.stringContaining("Unknown topic: idel. --only takes keywords,")]);
});
