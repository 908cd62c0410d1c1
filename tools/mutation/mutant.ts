import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

export const AREAS = ["charts", "views", "services", "domain", "server"] as const;
export type Area = (typeof AREAS)[number];

export const KINDS = ["target", "guard", "action", "owner", "off-by-one", "await", "status", "comparison"] as const;
export type Kind = (typeof KINDS)[number];

/** Where a mutant is applied: `original` occurs once in the file, ignoring differences in white space. */
type Place = { file: string; original: string; replacement: string };

/** One small defect. The first place that exists in the code is used, so one list fits older and newer code. */
export type Mutant = { id: string; area: Area; kind: Kind; description: string; places: readonly Place[] };

/** A mutant found in the code: the file it changes, and how to apply and revert it. */
export type Application = { file: string; apply(): void; revert(): void };

export const FOLDERS: Record<Area, string> = {
  charts: "src/machines",
  views: "src/views",
  services: "src/services",
  domain: "domain",
  server: "server",
};

/** Reads the list of mutants. */
export const readMutants = (): Mutant[] =>
  JSON.parse(readFileSync(new URL("mutants.json", import.meta.url), "utf8")) as Mutant[];

/** Returns the TypeScript files of a folder, relative to the root. */
export const sourceFiles = (root: string, folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"))
    .map((file) => `${folder}/${file}`)
    .toSorted();

/** Returns a pattern that matches a snippet with any amount of white space. */
const patternOf = (snippet: string): RegExp =>
  new RegExp(
    snippet
      .trim()
      .split(/\s+/)
      .map((word) => RegExp.escape(word))
      .join("\\s+"),
    "g",
  );

function applied(root: string, file: string, { original, replacement }: Place): Application[] {
  const full = path.join(root, file);
  if (!existsSync(full)) return [];
  const text = readFileSync(full, "utf8");
  const pattern = patternOf(original);
  if (text.match(pattern)?.length !== 1) return [];
  const mutated = text.replace(pattern, () => replacement);
  return [{ file, apply: () => writeFileSync(full, mutated), revert: () => writeFileSync(full, text) }];
}

/**
 * Finds a mutant in the tree under `root`: in the file it names, else in the only other file that has its snippet.
 * Returns null when the snippet is gone or no longer unique.
 */
export function locate(root: string, { places }: Mutant): Application | null {
  const [named] = places.flatMap((place) => applied(root, place.file, place));
  if (named !== undefined) return named;
  const moved = ["src", "domain", "server"]
    .flatMap((folder) => sourceFiles(root, folder))
    .flatMap((file) => places.flatMap((place) => applied(root, file, place)));
  return moved.length === 1 ? (moved[0] ?? null) : null;
}

/** Applies mutants cumulatively. Returns those that could be applied, and how to revert them. */
export function applyAll(root: string, mutants: readonly Mutant[]): { applied: Mutant[]; revert(): void } {
  const done = mutants.flatMap((mutant) => {
    const place = locate(root, mutant);
    place?.apply();
    return place === null ? [] : [{ mutant, place }];
  });
  const revert = () => {
    for (const { place } of done.toReversed()) place.revert();
  };
  return { applied: done.map(({ mutant }) => mutant), revert };
}
