import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";
import { expect, it } from "vitest";
import { ensureWebBuild } from "../../scripts/build.mjs";
import { messageProblems } from "../support/message-checks.ts";

const root = path.join(import.meta.dirname, "../..");
const web = path.join(root, "dist/web");
const config = getConfig({ cwd: root });
const locales: readonly string[] = config.locales;
const catalogs = await getCatalogs(config);

type Manifest = Record<string, { file: string; imports?: string[] }>;

/** Returns the initial scripts and those whose name in the manifest begins with one of `names`, with all their imports. */
function scriptsOf(names: readonly string[]): string[] {
  const manifest = JSON.parse(readFileSync(path.join(web, ".vite/manifest.json"), "utf8")) as Manifest;
  const html = readFileSync(path.join(web, "index.html"), "utf8");
  const reached = new Set<string>();
  const reach = (key: string) => {
    if (reached.has(key)) return;
    reached.add(key);
    manifest[key]?.imports?.forEach(reach);
  };
  Object.keys(manifest)
    .filter((key) => names.some((name) => key.startsWith(name)) || html.includes(`/${manifest[key]?.file}`))
    .forEach(reach);
  return [...reached].map((key) => readFileSync(path.join(web, manifest[key]?.file ?? ""), "utf8"));
}

it("names only files and folders that exist for each catalogue", () => {
  const named = config.catalogs.flatMap(({ include }) => include).map((one) => one.replace("<rootDir>", root));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((one) => !existsSync(one))).toEqual([]);
});

it.each([
  {
    screens: "signed-out screens",
    names: ["signup", "forgot-password", "reset-password"].map((route) => `src/app/routes/${route}.tsx`),
    parts: ["visitor"],
  },
  { screens: "shell and the leads list", names: ["_app-"], parts: ["visitor", "app"] },
])("has every text of the $screens in the catalogues that are loaded for them", { timeout: 120_000 }, async (row) => {
  await ensureWebBuild();
  const all = await Promise.all(
    catalogs.map(async (catalog) => ({
      isLoaded: row.parts.includes(path.basename(catalog.path)),
      texts: Object.entries((await catalog.read("en")) ?? {}),
    })),
  );
  const scripts = scriptsOf(row.names);
  const isUsed = (id: string) => scripts.some((script) => script.includes(`"${id}"`) || script.includes(`\`${id}\``));
  const textsOf = (isLoaded: boolean) => all.flatMap((part) => (part.isLoaded === isLoaded ? part.texts : []));
  const loaded = new Set(textsOf(true).map(([id]) => id));
  expect([...loaded].filter(isUsed).length).toBeGreaterThan(20);
  const missing = textsOf(false).filter(([id]) => !loaded.has(id) && isUsed(id));
  expect(missing.map(([, { message }]) => message)).toEqual([]);
});

it("collects the texts of every file that has messages", () => {
  const collected = new Set(catalogs.flatMap(({ sourcePaths }) => sourcePaths.map((file) => path.resolve(root, file))));
  const files = globSync("{client,domain,sandbox,server,src}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["**/node_modules"],
  });
  const withMessages = files.filter((file) =>
    /from "@lingui\/[\w/-]*macro"/.test(readFileSync(path.join(root, file), "utf8")),
  );
  expect(withMessages.length).toBeGreaterThan(50);
  expect(withMessages.filter((file) => !collected.has(path.join(root, file)))).toEqual([]);
});

it.each(locales)("has every text in %s, with its values, tags and plural forms", async (locale) => {
  const stored = await Promise.all(catalogs.map((catalog) => catalog.read(locale)));
  const entries = stored.flatMap((catalog) => Object.values(catalog ?? {}));
  expect(entries.length).toBeGreaterThan(100);
  const problems = entries.flatMap(({ message = "", translation = "" }) =>
    messageProblems(message, translation, locale).map((problem) => `${message}: ${problem}`),
  );
  expect(problems).toEqual([]);
});

it.each(locales)("translates a text alike in the catalogues that the page joins in %s", async (locale) => {
  const joined = catalogs.filter((catalog) => path.basename(catalog.path) !== "server");
  const entries = (await Promise.all(joined.map((catalog) => catalog.read(locale)))).flatMap((stored) =>
    Object.entries(stored ?? {}),
  );
  const first = new Map(entries.toReversed());
  const other = entries.filter(([id, { translation }]) => first.get(id)?.translation !== translation);
  expect(other.map(([, { message, translation }]) => `${message}: ${translation}`)).toEqual([]);
});

it("renders every memoized component again when the language changes", () => {
  const files = globSync("src/**/*.tsx", { cwd: root }).map((file) => ({
    file,
    text: readFileSync(path.join(root, file), "utf8"),
  }));
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const memoized = files.filter(({ text }) => /\bmemo\(/.test(text));
  expect(memoized.length).toBeGreaterThan(5);
  const stale = memoized.filter(({ text }) => count(text, /\bmemo\(/g) > count(text, /\buseLocale\(\);/g));
  expect(stale.map(({ file }) => file)).toEqual([]);
});
