import { readFileSync } from "node:fs";
import path from "node:path";
import { getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";
import { expect, it } from "vitest";
import { ensureWebBuild } from "../../scripts/build.mjs";

const root = path.join(import.meta.dirname, "../..");
const web = path.join(root, "dist/web");

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
  const catalogs = await getCatalogs(getConfig({ cwd: root }));
  const [visitor = {}, app = {}] = await Promise.all(catalogs.map((catalog) => catalog.read("en")));
  const scripts = visitorScripts();
  const isUsed = (id: string) => scripts.some((script) => script.includes(`"${id}"`) || script.includes(`\`${id}\``));
  expect(Object.keys(visitor).filter(isUsed).length).toBeGreaterThan(20);
  const missing = Object.entries(app).filter(([id]) => !(id in visitor) && isUsed(id));
  expect(missing.map(([, { message }]) => message)).toEqual([]);
});
