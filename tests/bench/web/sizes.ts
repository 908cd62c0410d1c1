import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

type Chunk = { file: string; imports?: string[]; css?: string[]; dynamicImports?: string[]; isEntry?: boolean };
type Manifest = Record<string, Chunk>;

const web = path.join(import.meta.dirname, "../../../dist/web");
export const KB = 1_024;

/** Budgets in bytes after gzip: JS and CSS for a first visit, JS alone for what a route adds to the leads list's. */
export const BUDGETS = {
  login: 84 * KB,
  leads: 119 * KB,
  routeExtra: 75 * KB,
  charts: 30 * KB,
  conversation: 40 * KB,
  board: 40 * KB,
  css: 12 * KB,
};

export type WebSizes = {
  /** To see the login screen, styles included: scripts bring their own. */
  login: number;
  /** To see the leads list, for someone signed in. */
  leads: number;
  /** The styles of the spec's screens together: a screen on top of them has its styles among its own bytes. */
  css: number;
  /** The inbox with a conversation, its styles included: what it adds to the leads list. */
  conversation: number;
  /** The board, its styles included: what it adds to the leads list. */
  board: number;
  /** The route that draws charts: what it adds to the leads list. */
  charts: number;
  /** What each other route adds to the leads list, by its file's name. */
  extras: Record<string, number>;
  /** Which files make up the two first visits, in words. */
  heaviest: { login: string; leads: string };
};

/** The styles that a script adopts, as a string literal. */
const ADOPTED = /replaceSync\(("(?:[^"\\]|\\.)*")\)/g;

/** Screens and parts of screens that stand beside the spec's, and the inspector of the charts. */
const ON_TOP = [
  "src/app/routes/inbox.tsx",
  "src/app/routes/board.tsx",
  "src/app/palette.tsx",
  "src/app/routes/activity.tsx",
  "src/app/routes/settings.tsx",
  "src/app/day.tsx",
  "src/app/dry-run-place.tsx",
  "src/app/followup-results.tsx",
  "src/app/lead-tools.tsx",
  "src/app/lead-marks.tsx",
  "src/app/automation-section.tsx",
  "src/app/archive-place.tsx",
  "src/app/batch-place.tsx",
  "src/app/crm-settings.tsx",
  "src/app/key-settings.tsx",
  "src/app/webhook-settings.tsx",
  "src/app/saved-view-links.tsx",
  "src/app/stage-values.tsx",
  "src/app/inspector/index.tsx",
];

/** Everything the chunks draw in by static imports, themselves included. */
function drawIn(manifest: Manifest, keys: readonly string[], seen = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (seen.has(key)) continue;
    seen.add(key);
    drawIn(manifest, manifest[key]?.imports ?? [], seen);
  }
  return seen;
}

/** Reads the build's manifest and weighs what each route needs, as gzip makes of it. */
export function weighWeb(): WebSizes {
  const manifest = JSON.parse(readFileSync(path.join(web, ".vite/manifest.json"), "utf8")) as Manifest;
  const html = readFileSync(path.join(web, "index.html"), "utf8");
  const weights = new Map<string, number>();
  const weigh = (file: string) => {
    const known = weights.get(file) ?? gzipSync(readFileSync(path.join(web, file)), { level: 9 }).length;
    weights.set(file, known);
    return known;
  };
  const total = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + weigh(file), 0);
  const filesOf = (keys: Iterable<string>) => new Set([...keys].map((key) => manifest[key]?.file ?? ""));

  const scripts = [...html.matchAll(/src="\/(assets\/[^"]+\.js)"/g)].map(([, file = ""]) => file);
  const first = Object.keys(manifest).filter((key) => scripts.includes(manifest[key]?.file ?? ""));
  const chunkOf = (name: string) => Object.keys(manifest).filter((key) => key === name || key.startsWith(`_${name}-`));

  const apart = new Set(ON_TOP.flatMap((key) => [key, ...(manifest[key]?.dynamicImports ?? [])]));
  const ofTheSpec = Object.keys(manifest).filter((key) => key.startsWith("src/") && !apart.has(key));
  const sheets = [...filesOf(drawIn(manifest, ofTheSpec))].flatMap((file) =>
    file.endsWith(".js")
      ? [...readFileSync(path.join(web, file), "utf8").matchAll(ADOPTED)].map(([, css = ""]) => css)
      : [],
  );
  const css = gzipSync(sheets.join(""), { level: 9 }).length;
  const login = filesOf(drawIn(manifest, first));
  const leads = filesOf(drawIn(manifest, [...first, ...chunkOf("app")]));
  const extras = Object.fromEntries(
    Object.keys(manifest)
      .filter((key) => key.startsWith("src/app/routes/"))
      .map((key) => {
        const added = [...filesOf(drawIn(manifest, [key]))].filter((file) => !leads.has(file));
        return [path.basename(key, ".tsx"), total(added)];
      }),
  );
  const partsOf = (files: Iterable<string>) => {
    const parts = [...files].map((file) => `${path.basename(file)} ${(weigh(file) / KB).toFixed(1)} KB`);
    return `It is ${parts.join(", ")}.`;
  };
  return {
    login: total(login),
    leads: total(leads),
    css,
    charts: extras["stats"] ?? Number.NaN,
    conversation: extras["inbox"] ?? Number.NaN,
    board: extras["board"] ?? Number.NaN,
    extras,
    heaviest: { login: partsOf(login), leads: partsOf(leads) },
  };
}
