import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

type Chunk = { file: string; imports?: string[]; css?: string[] };
type Manifest = Record<string, Chunk>;

const web = path.join(import.meta.dirname, "../../../dist/web");
export const KB = 1_024;

/** Budgets in bytes after gzip, scripts and styles together: a first visit, and the code that another screen adds to the leads list. */
export const BUDGETS = { login: 130 * KB, leads: 170 * KB, screen: 75 * KB, charts: 30 * KB };

export type WebSizes = {
  /** the login screen */
  login: number;
  /** the leads list, signed in */
  leads: number;
  /** the code of the charts in Stats that no other screen uses */
  charts: number;
  /** the code that each other screen adds to the leads list, by the name of its route file */
  screens: Record<string, number>;
  /** the files of the two first visits with their sizes */
  files: { login: string; leads: string };
};

/** Returns the chunks and everything they import statically. */
function withImports(manifest: Manifest, keys: readonly string[], reached = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (reached.has(key)) continue;
    reached.add(key);
    withImports(manifest, manifest[key]?.imports ?? [], reached);
  }
  return reached;
}

/** Reads the build's manifest and returns the size of each screen's code after gzip. */
export function weighWeb(): WebSizes {
  const manifest = JSON.parse(readFileSync(path.join(web, ".vite/manifest.json"), "utf8")) as Manifest;
  const html = readFileSync(path.join(web, "index.html"), "utf8");
  const sizes = new Map<string, number>();
  const sizeOf = (file: string) => {
    const known = sizes.get(file) ?? gzipSync(readFileSync(path.join(web, file)), { level: 9 }).length;
    sizes.set(file, known);
    return known;
  };
  const total = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + sizeOf(file), 0);
  const filesOf = (keys: Iterable<string>) =>
    new Set([...keys].flatMap((key) => [manifest[key]?.file ?? "", ...(manifest[key]?.css ?? [])]));
  const list = (files: Iterable<string>) =>
    [...files].map((file) => `${path.basename(file)} ${(sizeOf(file) / KB).toFixed(1)} KB`).join(", ");

  const scripts = [...html.matchAll(/src="\/(assets\/[^"]+\.js)"/g)].map(([, file = ""]) => file);
  const keysOf = (name: RegExp) => Object.keys(manifest).filter((key) => name.test(key));
  const first = Object.keys(manifest).filter((key) => scripts.includes(manifest[key]?.file ?? ""));
  const login = filesOf(withImports(manifest, first));
  const leads = filesOf(withImports(manifest, [...first, ...keysOf(/^_app-.*\.js$/)]));
  const shared = filesOf(withImports(manifest, keysOf(/^_shared-.*\.js$/)));
  const added = (key: string) => [...filesOf(withImports(manifest, [key]))].filter((file) => !leads.has(file));
  const screens = keysOf(/^src\/app\/routes\/(?!leads\.)/).map((key) => [
    path.basename(key, ".tsx"),
    total(added(key)),
  ]);
  return {
    login: total(login),
    leads: total(leads),
    charts: total(added("src/app/routes/stats.tsx").filter((file) => !shared.has(file))),
    screens: Object.fromEntries(screens),
    files: { login: list(login), leads: list(leads) },
  };
}
