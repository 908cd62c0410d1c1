import { fileURLToPath } from "node:url";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { bootFirst } from "./scripts/web/boot-first.ts";
import { slimCharts } from "./scripts/web/slim-charts.ts";
import { slimHooks } from "./scripts/web/slim-hooks.ts";
import { slimIcons } from "./scripts/web/slim-icons.ts";
import { slimReact } from "./scripts/web/slim-react.ts";
import { runtimeInScripts } from "./scripts/web/runtime-in-scripts.ts";
import { runAtOnce } from "./scripts/web/run-at-once.ts";
import { unusedApart } from "./scripts/web/unused-apart.ts";
import { stylesInScripts } from "./scripts/web/styles-in-scripts.ts";

const server = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;
const proxy = Object.fromEntries(["/api", "/auth", "/rest", "/sandbox", "/webhooks"].map((path) => [path, server]));

type ModuleGraph = {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[]; importers: readonly string[] } | null;
};

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
const SHARED =
  /\/src\/ui\/|\/machines\/kit\/|\/views\/conversation\/(names|times)\.ts$|\/valibot\/|^\0slim-charts\/classnames/;
/** What the bundler itself adds to code that imports more when it runs. */
const BUNDLER = /^\0vite\/preload-helper/;
/** What two or three parts share, by the name of its file; where the list's own modules name it, none of theirs needs it. */
const OF_FEW = {
  tools: /\/leads\/leads\.more\.ts$|\/domain\/lead-filter\.ts$/,
  plans:
    /\/src\/services\/(stages|followups)\.ts$|\/domain\/(keyword-lab|followup-results)\.ts$|\/kit\/undoing\.ts$|\/ui\/(ColorInput|Switch)\.(tsx|module\.css)$/,
  acting: /\/ui\/ActingSelect\.tsx$/,
  doors: /\/kit\/revealing\.ts$/,
  faults: /\/kit\/attaching\.ts$|\/ui\/(announced|Refusal)\.tsx$|\/ui\/focus-fault\.ts$/,
  talk: /\/domain\/(message|inbox|story)\.ts$|\/commands\/keyed\.ts$|\/app\/excluded\.ts$|\/views\/conversation\/(pieces|Avatar)\.(tsx?|module\.css)$/,
};
const ICON = /\/lucide-react\/dist\/esm\/icons\//;
const USES_ARIA = /react-aria|react-stately|@internationalized/;

/** Adds to `seen` everything the modules draw in by static imports, themselves included. */
function drawIn(ids: readonly string[], graph: ModuleGraph, seen = new Set<string>()): Set<string> {
  for (const id of ids) {
    if (seen.has(id)) continue;
    seen.add(id);
    drawIn(graph.getModuleInfo(id)?.importedIds ?? [], graph, seen);
  }
  return seen;
}

/**
 * Three files carry most visits: `boot`, which asks ahead of all other code, the entry for everyone, and `app` for
 * everyone signed in, with the leads list. `calls` makes the calls that were not asked ahead, `notices` says things over the
 * screens, `screens` is what other screens share. Left alone the bundler cuts the shared parts into a dozen files of half a
 * kilobyte, each a request.
 */
function createChunkNames() {
  let boot: Set<string> | null = null;
  let entry: Set<string> | null = null;
  let app: Set<string> | null = null;
  let calls: Set<string> | null = null;
  let notices: Set<string> | null = null;
  return (id: string, graph: ModuleGraph): string | null => {
    boot ??= drawIn([source("boot.ts")], graph);
    entry ??= drawIn([source("main.tsx")], graph);
    app ??= drawIn(
      [
        source("app/InShell.tsx"),
        source("app/routes/leads.tsx"),
        source("services/http.ts"),
        source("services/subscription.ts"),
        source("services/event-sharing.ts"),
      ],
      graph,
    );
    calls ??= drawIn(graph.getModuleInfo(source("services/calls-code.ts"))?.dynamicallyImportedIds ?? [], graph);
    notices ??= drawIn([source("views/notifications/NotificationsView.tsx")], graph);
    if (boot.has(id) || BUNDLER.test(id)) return "boot";
    if (entry.has(id)) return "base";
    const few = Object.entries(OF_FEW).find(([, modules]) => modules.test(id));
    if (few) return few[0];
    if (app.has(id)) return "app";
    if (calls.has(id)) return "calls";
    if (notices.has(id)) return "notices";
    // The icon of one screen goes where that screen goes; the others are too small for files of their own.
    if (ICON.test(id)) return graph.getModuleInfo(id)?.importers.length === 1 ? null : "app";
    // Styles go where their component goes.
    const drawing = id.endsWith(".css") ? (graph.getModuleInfo(id)?.importers ?? []) : [id];
    const drawsAria = [...drawIn(drawing, graph)].some((drawn) => USES_ARIA.test(drawn));
    return SHARED.test(id) && !drawsAria ? "screens" : null;
  };
}

/**
 * What most screens share of react-aria's controls stands in two files: `controls`, all of which the board needs, and
 * `overlays`. Cut by who needs what they weigh more, and are a dozen requests.
 */
function createControlsName() {
  let board: Set<string> | null = null;
  return (id: string, graph: ModuleGraph): string | null => {
    board ??= drawIn([source("app/routes/board.tsx")], graph);
    return USES_ARIA.test(id) && board.has(id) ? "controls" : null;
  };
}

export default defineConfig({
  plugins: [
    react(),
    { ...optimizeLocales.vite({ locales: ["en-US"] }), enforce: "pre" },
    slimCharts(),
    slimHooks(),
    slimIcons(),
    slimReact(),
    stylesInScripts(),
    runtimeInScripts(),
    unusedApart("tools"),
    runAtOnce("base", "app"),
    bootFirst("src/boot.ts"),
  ],
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: "dist/web",
    manifest: true,
    // The first that know light-dark(): put into other words it doubles the styles and what the browser resolves.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // What every visit has loaded needs no asking for.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_url, files) => files.filter((file) => !/\/(boot|base|app)-/.test(file)),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: createChunkNames(), debugName: "app", includeDependenciesRecursively: false },
            {
              name: createControlsName(),
              debugName: "controls",
              minShareCount: 3,
              includeDependenciesRecursively: false,
            },
            { name: "overlays", test: USES_ARIA, minShareCount: 4, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
