import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputFolder, renderPages } from "./statecharts/pages.ts";

mkdirSync(outputFolder, { recursive: true });
const files = await renderPages();
for (const name of readdirSync(outputFolder)) if (!files.has(name)) rmSync(join(outputFolder, name));
for (const [name, text] of files) writeFileSync(join(outputFolder, name), text);
console.log(`${files.size} files written to docs/statecharts`);
