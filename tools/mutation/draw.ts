// Draws candidate mutants: `node tools/mutation/draw.ts [--seed 21]` prints them as JSON, by area and kind, in random order. Take them from
// the top. Check each one by hand, skip those that cannot change behaviour, and add the rest to mutants.json.
import { readFileSync } from "node:fs";
import { readArguments } from "../../scripts/arguments.mjs";
import { AREAS, type Area, FOLDERS, type Kind, sourceFiles } from "./mutant.ts";

type Site = { file: string; line: number; original: string; replacement: string };
type Rewrite = (line: string, random: () => number, lines: readonly string[]) => string | null;

/** The number of candidates of each kind per area. */
const CANDIDATES: Record<Area, Partial<Record<Kind, number>>> = {
  charts: { target: 40, guard: 30, action: 40, comparison: 20, "off-by-one": 20, await: 10 },
  views: { guard: 20, comparison: 20, action: 20, "off-by-one": 20 },
  services: { guard: 20, comparison: 20, action: 20, await: 20, status: 20, "off-by-one": 20 },
  domain: { guard: 25, comparison: 25, action: 20, "off-by-one": 25, status: 10 },
  server: { owner: 40, guard: 25, action: 25, await: 25, status: 25, comparison: 25, "off-by-one": 25 },
};

/** Returns a small reproducible generator (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let end = result.length - 1; end > 0; end--) {
    const pick = Math.floor(random() * (end + 1));
    [result[end], result[pick]] = [result[pick]!, result[end]!];
  }
  return result;
}

/** Rewrites one random match of the pattern in a line, or returns null when there is none. */
const oneOf =
  (pattern: RegExp, replace: (match: RegExpMatchArray) => string): Rewrite =>
  (line, random) => {
    const matches = [...line.matchAll(pattern)];
    const match = matches[Math.floor(random() * matches.length)];
    if (match === undefined) return null;
    return line.slice(0, match.index) + replace(match) + line.slice(match.index + match[0].length);
  };

const FLIPPED: Record<string, string> = {
  "===": "!==",
  "!==": "===",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "=": "<>",
  "<>": "=",
};
const SHIFTED: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "+ 1": "+ 2", "- 1": "- 0" };

const isSql = (line: string) =>
  /\b(select|where|and|from|join|having|when)\b .*\$\{|\b(where|and) [a-z_.]+ (=|<|>)/.test(line);

/** Replaces a target by another state that the same file names as a target. */
const swapTarget: Rewrite = (line, random, lines) => {
  const target = /target: "([^"]+)"/.exec(line)?.[1];
  if (target === undefined) return null;
  const others = lines
    .flatMap((other) => /target: "([^"]+)"/.exec(other)?.[1] ?? [])
    .filter((other) => other !== target);
  const other = others[Math.floor(random() * others.length)];
  return other === undefined ? null : line.replace(`target: "${target}"`, `target: "${other}"`);
};

/** Removes one item of an `actions` list, or the only action. */
const dropChartAction: Rewrite = (line, random) => {
  const list = /actions: \[([^\]]+)\]/.exec(line);
  if (list !== null) {
    const items = list[1]!.split(/,\s*(?![^(]*\))/);
    const dropped = Math.floor(random() * items.length);
    return line.replace(list[0], `actions: [${items.filter((_, index) => index !== dropped).join(", ")}]`);
  }
  return oneOf(/,? ?actions: ("[^"]+"|\w+\((?:[^()]|\([^()]*\))*\))/g, () => "")(line, random, []);
};

const negateIf = oneOf(
  /\bif \((.+?)\)(?= (?:\{|return|throw|continue|break|await|else)|$| [\w.]+\()/g,
  ([, test]) => `if (!(${test}))`,
);
const negateShown = oneOf(/\{([^{}?&]+) (&&|\?) /g, ([, test, operator]) => `{!(${test}) ${operator} `);
const negateGuard: Rewrite = (line) => {
  const guard = /^( {4}\w+: \((?:[^()]|\([^()]*\))*\) => )([^{(].*),$/.exec(line);
  return guard === null ? null : `${guard[1]}!(${guard[2]}),`;
};
const flip = oneOf(/(?<= )(===|!==|<=|>=|<|>)(?= )/g, ([, sign]) => FLIPPED[sign!]!);
const flipSql: Rewrite = (line, random, lines) =>
  isSql(line) ? oneOf(/(?<= )(=|<>|<=|>=|<|>)(?= )/g, ([, sign]) => FLIPPED[sign!]!)(line, random, lines) : null;
const shift = oneOf(/(?<= )(<=|>=|<|>|[+-] 1)(?= |\)|;|,|$|\])/g, ([, sign]) => SHIFTED[sign!]!);
const dropCall: Rewrite = (line) => (/^\s+(?:await |void )?[\w.?!]+\(.*\);$/.test(line) ? "" : null);
const dropAwait: Rewrite = (line) => (/^\s+(?:return )?await [\w.]+\(/.test(line) ? line.replace("await ", "") : null);
const changeStatus: Rewrite = (line, random, lines) =>
  /code|status|problem|refus|Error\(|===/i.test(line)
    ? oneOf(/(?<![\w_.])([245]\d\d)(?![\w_.])/g, ([status]) => String(Number(status) + 1))(line, random, lines)
    : null;
const dropOwner: Rewrite = (line, random, lines) =>
  oneOf(/\.where\("(?:\w+\.)?owner_id", "=", [^)]+\)/g, () => "")(line, random, lines) ??
  oneOf(/(?:\w+\.)?owner_id = (?:\w+\.owner_id|\$\{\w+\}(?:::uuid)?)/g, () => "true")(line, random, lines);

const either =
  (...rewrites: readonly Rewrite[]): Rewrite =>
  (line, random, lines) =>
    shuffled(rewrites, random).reduce<string | null>((done, rewrite) => done ?? rewrite(line, random, lines), null);

const REWRITES: Record<Kind, (area: Area) => Rewrite> = {
  target: () => swapTarget,
  guard: (area) =>
    area === "charts" ? either(negateGuard, negateIf) : area === "views" ? either(negateIf, negateShown) : negateIf,
  action: (area) => (area === "charts" ? dropChartAction : dropCall),
  owner: () => dropOwner,
  "off-by-one": () => shift,
  await: () => dropAwait,
  status: () => changeStatus,
  comparison: (area) => (area === "server" ? either(flip, flipSql) : flip),
};

/** Returns the line with as many preceding lines as make it unique in the file. */
function uniqueSnippet(
  text: string,
  lines: readonly string[],
  index: number,
): { snippet: string; from: number } | null {
  for (let from = index; from >= Math.max(0, index - 4); from--) {
    const snippet = lines
      .slice(from, index + 1)
      .join("\n")
      .trimStart();
    if (text.split(snippet).length === 2) return { snippet, from };
  }
  return null;
}

function sitesOf(area: Area, kind: Kind, random: () => number): Site[] {
  return sourceFiles(".", FOLDERS[area]).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const lines = text.split("\n");
    return lines.flatMap((line, index) => {
      if (/^\s*(\/\/|\/?\*|import |export type |type )/.test(line)) return [];
      const rewritten = REWRITES[kind](area)(line, random, lines);
      const unique = rewritten === null ? null : uniqueSnippet(text, lines, index);
      if (rewritten === null || unique === null) return [];
      const before = lines.slice(unique.from, index);
      return [
        { file, line: index + 1, original: unique.snippet, replacement: [...before, rewritten].join("\n").trimStart() },
      ];
    });
  });
}

const { values } = readArguments("node tools/mutation/draw.ts [--seed N]", {
  options: { seed: { type: "string", default: "21" } },
});
const draw = AREAS.flatMap((area) =>
  (Object.entries(CANDIDATES[area]) as [Kind, number][]).map(([kind, count]) => {
    const random = seeded(Number(values.seed) + AREAS.indexOf(area) * 1000 + kind.length);
    const sites = sitesOf(area, kind, random);
    return { area, kind, sites: sites.length, candidates: shuffled(sites, random).slice(0, count) };
  }),
);
console.log(JSON.stringify(draw, null, 1));
