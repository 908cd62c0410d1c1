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

const classesOf = (text: string) => new Set([...text.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name));

/** One value of a list: a word, or a function with its arguments. */
const PART = String.raw`(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+`;
const PHYSICAL_STYLES = [
  /^\s*(?:margin|padding|border|inset|scroll-margin|scroll-padding)-(?:left|right|top|bottom)\b.*;/gm,
  /^\s*(?:left|right|top|bottom|float|clear|(?:min-|max-)?(?:width|height)):.*;/gm,
  /^\s*text-align(?:-last)?: (?:left|right);/gm,
  // Four corners or sides whose left and right values differ.
  new RegExp(
    `^\\s*(?:margin|padding|inset|border-(?:width|style|color)): ${PART} (?<right>${PART}) ${PART} (?!\\k<right>;)${PART};`,
    "gm",
  ),
  /^\s*border-radius: \S+ .*;/gm,
  // A horizontal move that ignores the writing direction.
  /^\s*translate: (?!0 |none|calc\(var\(--way\)).*;/gm,
  /\b(?:translate(?:X|3d)?|skewX?|matrix(?:3d)?)\(.*;/gm,
  /\bto (?:left|right)\b.*;/gm,
];
/** The same as properties of a `style`. Elsewhere such names are numbers of a drawing. */
const PHYSICAL_PROPERTIES = [
  /\b(?:margin|padding|border|inset)(?:Left|Right|Top|Bottom)\w*:/g,
  /\btextAlign: "(?:left|right)"/g,
  /\bstyle=\{\{[^}]*\b(?:left|right|top|bottom|width|height|float):/g,
  /\btranslate(?:X|3d)\(/g,
];

const found = ({ file, text }: { file: string; text: string }, physical: RegExp[]) =>
  physical.flatMap((pattern) => (text.match(pattern) ?? []).map((line) => `${file}: ${line.trim()}`));

it.each([
  [PHYSICAL_STYLES, "margin-left: 1px;"],
  [PHYSICAL_STYLES, "right: 0;"],
  [PHYSICAL_STYLES, "text-align: left;"],
  [PHYSICAL_STYLES, "border-top-left-radius: 1px;"],
  [PHYSICAL_STYLES, "border-radius: 0 1px 1px 0;"],
  [PHYSICAL_STYLES, "padding: 0 max(1px, var(--a)) 0 2px;"],
  [PHYSICAL_STYLES, "translate: 1rem 0;"],
  [PHYSICAL_STYLES, "transform: rotate(3deg) translateX(1px);"],
  [PHYSICAL_STYLES, "background: linear-gradient(to right, red, blue);"],
  [PHYSICAL_PROPERTIES, "style={{ opacity: 1, left: 0 }}"],
  [PHYSICAL_PROPERTIES, "marginLeft: 1"],
  [PHYSICAL_PROPERTIES, "transform: `translateX(${x}px)`"],
])("finds the physical side of $1", (patterns, text) => {
  expect(found({ file: "it", text }, patterns)).toEqual([expect.stringMatching(/^it: /)]);
});

it("uses logical properties, so that a page can be right to left", () => {
  expect(styles.flatMap((style) => found(style, PHYSICAL_STYLES))).toEqual([]);
  expect(code.flatMap((module) => found(module, PHYSICAL_PROPERTIES))).toEqual([]);
});

it("uses each class of a style module, and defines each used class", () => {
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
