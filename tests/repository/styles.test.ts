import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../src/", import.meta.url));
const read = (file: string) => ({ file, text: fs.readFileSync(path.join(root, file), "utf8") });
const files = fs.readdirSync(root, { recursive: true, encoding: "utf8" });
const styles = files
  .filter((file) => file.endsWith(".css"))
  .map(read)
  .map(({ file, text }) => ({ file, text: text.replaceAll(/\/\*[\s\S]*?\*\//g, "") }));
const code = files.filter((file) => /\.tsx?$/.test(file)).map(read);

/** The names of the classes that a module's rules speak of. */
const classesOf = (text: string) => new Set([...text.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name));

it("sides and sizes are logical, so that a page can run from right to left", () => {
  const physical =
    /^\s*(?:(?:margin|padding|border|inset|scroll-margin|scroll-padding)-(?:left|right|top|bottom)\b.*|(?:left|right|top|bottom|float|(?:min-|max-)?(?:width|height)):.*|text-align: (?:left|right)|border-(?:top|bottom)-(?:left|right)-radius:.*);/gm;
  const found = styles.flatMap(({ file, text }) =>
    (text.match(physical) ?? []).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

it("each class of a style module is used, and each class that is used is there", () => {
  const wrong = styles
    .filter(({ file }) => file.endsWith(".module.css"))
    .flatMap(({ file, text }) => {
      const used = new Set<string>();
      let isChosen = false;
      for (const user of code) {
        const [, name] = new RegExp(`import (\\w+) from "[^"]*\\b${path.basename(file)}"`).exec(user.text) ?? [];
        if (name === undefined) continue;
        for (const [, of = ""] of user.text.matchAll(new RegExp(`\\b${name}\\["([\\w-]+)"\\]`, "g"))) used.add(of);
        isChosen ||= new RegExp(`\\b${name}\\[(?!")`).test(user.text);
      }
      const known = classesOf(text);
      const unused = isChosen ? [] : [...known].filter((name) => !used.has(name)).map((name) => `${name} is unused`);
      const missing = [...used].filter((name) => !known.has(name)).map((name) => `${name} is missing`);
      return [...unused, ...missing].map((what) => `${file}: ${what}`);
    });
  expect(wrong).toEqual([]);
});
