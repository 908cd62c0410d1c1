// Builds the browser code into dist/web when its sources have changed, with a compressed copy of each file.
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { ensureDependencies, fingerprint, giveUp, requireNode, root, run, runtimeNode, print } from "./setup.mjs";

const out = path.join(root, "dist", "web");
const marker = path.join(root, "dist", "web.fingerprint");
const compressible = /\.(js|css|html|svg|json)$/;

/** Builds dist/web if its sources have changed. */
export async function ensureWebBuild() {
  const wanted =
    fingerprint(
      "src",
      "domain",
      "locales",
      "lingui.config.ts",
      "scripts/statecharts",
      "scripts/web",
      "index.html",
      "vite.config.ts",
      "package-lock.json",
    ) + (process.env.VITE_QR_IMAGE_SERVICE ?? "");
  if (existsSync(path.join(out, "index.html")) && existsSync(marker) && readFileSync(marker, "utf8") === wanted) return;
  print("building the browser code (vite build)");
  // A build that fails can leave files of both versions, so neither may count as built.
  rmSync(marker, { force: true });
  // Always a production build, also in tests and during development.
  const env = { NODE_ENV: "production" };
  // The inspector shows the statechart drawings, so they are created first.
  for (const args of [["scripts/statecharts.ts"], ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"]])
    if ((await run(runtimeNode(), args, { env })) !== 0) giveUp("the build failed; see its output above.");
  for (const file of filesBelow(out)) compress(file);
  writeFileSync(marker, wanted);
}

/** Called by Playwright before browser tests. */
export default ensureWebBuild;

function filesBelow(folder) {
  return readdirSync(folder).flatMap((name) => {
    const full = path.join(folder, name);
    return statSync(full).isDirectory() ? filesBelow(full) : [full];
  });
}

function compress(file) {
  if (!compressible.test(file) || path.basename(file) === "index.html") return;
  const raw = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(raw, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode();
  ensureDependencies();
  await ensureWebBuild();
}
