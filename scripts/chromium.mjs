// Locates the browser: Chromium from npm, unpacked once per version. CHROMIUM=<path> overrides it.
import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const launchArgs = ["--no-sandbox", "--disable-gpu"];
const inModules = (name) => fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));

/** Returns the path of a Chromium executable. The first call unpacks it, so call it once before tests run in parallel. */
export async function chromiumPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const { version } = JSON.parse(readFileSync(inModules("@sparticuz/chromium/package.json"), "utf8"));
  const folder = inModules(`.cache/chromium/${version}`);
  mkdirSync(folder, { recursive: true });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return await (await import("@sparticuz/chromium")).default.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await chromiumPath());
