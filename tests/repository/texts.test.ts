import { globSync, readFileSync } from "node:fs";
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

/** What someone who is signed out may see: the first scripts and the screens outside the shell, with all that they import. */
function visitorScripts(): string[] {
  const manifest = JSON.parse(readFileSync(path.join(web, ".vite/manifest.json"), "utf8")) as Manifest;
  const html = readFileSync(path.join(web, "index.html"), "utf8");
  const screens = ["signup", "forgot-password", "reset-password"].map((name) => `src/app/routes/${name}.tsx`);
  const reached = new Set<string>();
  const reach = (key: string) => {
    if (reached.has(key)) return;
    reached.add(key);
    manifest[key]?.imports?.forEach(reach);
  };
  Object.keys(manifest)
    .filter((key) => screens.includes(key) || html.includes(`/${manifest[key]?.file}`))
    .forEach(reach);
  return [...reached].map((key) => readFileSync(path.join(web, manifest[key]?.file ?? ""), "utf8"));
}

it("has every text of the signed-out screens in the visitor's catalogue", { timeout: 120_000 }, async () => {
  await ensureWebBuild();
  const [visitor = {}, ...others] = await Promise.all(catalogs.map((catalog) => catalog.read("en")));
  const scripts = visitorScripts();
  const isUsed = (id: string) => scripts.some((script) => script.includes(`"${id}"`) || script.includes(`\`${id}\``));
  expect(Object.keys(visitor).filter(isUsed).length).toBeGreaterThan(20);
  const missing = others
    .flatMap((catalog) => Object.entries(catalog ?? {}))
    .filter(([id]) => !(id in visitor) && isUsed(id));
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
