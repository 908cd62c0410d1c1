import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type AnyStateMachine, StateMachine } from "xstate";
import { type ChartNode, chartOf, edgesOf, statesOf } from "./chart.ts";
import { importableOf } from "./importable.ts";
import { mermaidOf } from "./mermaid.ts";
import { svgOf } from "./svg.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const machinesFolder = join(root, "src/machines");
/** The pages are committed; the build creates the machine-readable files. */
export const pagesFolder = join(root, "docs/statecharts");
export const drawingsFolder = join(root, "dist/statecharts");

export type Machine = { name: string; machine: AnyStateMachine; intro: string };

/** Reads every machine of src/machines/<name>/<name>.machine.ts with its docstring. */
export async function readMachines(): Promise<Machine[]> {
  const names = readdirSync(machinesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(sourceOf(entry.name)))
    .map(({ name }) => name)
    .toSorted();
  return Promise.all(
    names.map(async (name) => {
      const module = (await import(pathToFileURL(sourceOf(name)).href)) as Record<string, unknown>;
      const machine = Object.values(module)
        .map(machineOf)
        .find((value) => value !== null);
      if (!machine) throw new Error(`src/machines/${name}/${name}.machine.ts exports no machine`);
      return { name, machine, intro: introOf(name, readFileSync(sourceOf(name), "utf8")) };
    }),
  );
}

/** Replaces every service, because drawing a chart calls none. */
const anyService: object = new Proxy(() => {}, { get: (_, key) => (typeof key === "string" ? anyService : undefined) });

/** Returns a chart, or the chart that a factory creates. */
function machineOf(exported: unknown): AnyStateMachine | null {
  const made: unknown =
    typeof exported === "function" && /^create[A-Z]/.test(exported.name) ? exported(anyService, anyService) : exported;
  return made instanceof StateMachine ? made : null;
}

const sourceOf = (name: string) => join(machinesFolder, name, `${name}.machine.ts`);

/** Generates the pages of docs/statecharts from the code. Returns their text by file name. */
export async function renderPages(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const rows: string[] = [];
  for (const { name, machine, intro } of await readMachines()) {
    const chart = chartOf(machine);
    files.set(`${name}.md`, pageOf(name, chart, intro));
    rows.push(
      `| [${name}](${name}.md) | ${statesOf(chart).length} | ${edgesOf(chart).length} | ${firstSentence(intro)} |`,
    );
  }
  files.set("README.md", indexOf(rows));
  return files;
}

/** Returns the files of dist/statecharts by name: each chart as Mermaid, as a picture and as a module for Stately's editor. */
export async function renderDrawings(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { name, machine } of await readMachines()) {
    const chart = chartOf(machine);
    files.set(`${name}.mmd`, mermaidOf(chart));
    files.set(`${name}.svg`, await svgOf(chart));
    files.set(`${name}.js`, importableOf(name, machine));
  }
  return files;
}

/** Returns the names of pages that differ from the code, are missing, or have no machine. */
export async function staleFiles(): Promise<string[]> {
  const files = await renderPages();
  const onDisk = existsSync(pagesFolder) ? readdirSync(pagesFolder) : [];
  const differing = [...files].filter(
    ([name, text]) => !onDisk.includes(name) || readFileSync(join(pagesFolder, name), "utf8") !== text,
  );
  return [...differing.map(([name]) => name), ...onDisk.filter((name) => !files.has(name))].toSorted();
}

/** Returns the docstring of the chart's `create` function (or of the chart itself) as one paragraph. */
function introOf(name: string, source: string): string {
  const identifier = name.replaceAll("-", "");
  const declaration = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*export (?:const|function) (?:create)?${identifier}(?:Machine)?\b`,
    "i",
  );
  const comment = declaration.exec(source)?.[1] ?? "";
  return comment
    .replaceAll(/\s*\n?\s*\*\s+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;

const pageOf = (name: string, chart: ChartNode, intro: string): string => `# ${name}

${intro}

${statesOf(chart).length} states, ${edgesOf(chart).length} transitions. Generated from
[${name}.machine.ts](../../src/machines/${name}/${name}.machine.ts) by \`npm run statecharts\`, which also writes \`dist/statecharts/${name}.js\` for Stately's editor.

\`\`\`mermaid
${mermaidOf(chart)}\`\`\`
`;

const indexOf = (rows: string[]): string => `# Statecharts

One page for each machine in src/machines, generated from the code by \`npm run statecharts\`; \`npm test\` fails when one is stale.
The same command writes three files for each machine into \`dist/statecharts\`: a picture (\`.svg\`), the Mermaid text (\`.mmd\`) and
a module with only the chart (\`.js\`), to paste into Stately's editor. In development and on the sandbox, \`?inspect\` shows
the pictures with the current state highlighted.

| Machine | States | Transitions | What it is |
| --- | ---: | ---: | --- |
${rows.join("\n")}
`;
