// npm run statecharts: draws every chart of src/machines, as pages in docs/statecharts and as pictures and modules in dist/statecharts.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawingsFolder, pagesFolder, renderDrawings, renderPages } from "./statecharts/pages.ts";

for (const [folder, files] of [
  [pagesFolder, await renderPages()],
  [drawingsFolder, await renderDrawings()],
] as const) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  console.log(`${files.size} files written to ${folder}`);
}
