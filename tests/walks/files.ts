import fs from "node:fs";
import path from "node:path";

const tests = path.join(import.meta.dirname, "..");

/** What the server does not tell is not shown, nor its way to try again, which the chart takes all the same. */
const IN_JSDOM_ALONE = ["views/day.test.tsx"];

/** The files that walk a screen along its chart, as paths below tests/: in both places, or in the browser alone. */
export const walkedFiles = (): string[] =>
  ["views", "walks"]
    .flatMap((folder) => fs.readdirSync(path.join(tests, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => /\.(test|walk)\.tsx$/.test(file) && !IN_JSDOM_ALONE.includes(file))
    .filter((file) => fs.readFileSync(path.join(tests, file), "utf8").includes("walkEveryView("))
    .toSorted();
