import fs from "node:fs";
import path from "node:path";

const tests = path.join(import.meta.dirname, "..");

/** The files that walk a screen along its chart, as paths below tests/: in both places, or in the browser alone. */
export const walkedFiles = (): string[] =>
  ["views", "walks"]
    .flatMap((folder) => fs.readdirSync(path.join(tests, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => /\.(test|walk)\.tsx$/.test(file))
    .filter((file) => fs.readFileSync(path.join(tests, file), "utf8").includes("walkEveryView("))
    .toSorted();

/** The ids of the charts that the file says it walks. */
export function chartsOf(file: string): string[] {
  const source = fs.readFileSync(path.join(tests, file), "utf8");
  return [...source.matchAll(/machine: (\w+)Machine,/g)].map(([, id = ""]) => id);
}
