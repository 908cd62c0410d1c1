import { fileURLToPath } from "node:url";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;
const proxy = Object.fromEntries(["/api", "/auth", "/rest", "/sandbox", "/webhooks"].map((path) => [path, server]));

type ModuleGraph = {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
};

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
const SHARED = /\/src\/ui\/|\/machines\/kit\/|\/(valibot|lucide-react)\//;
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
 * Two files carry most visits: the entry for everyone, and `app` for everyone signed in, with the leads list and what
 * screens share. Left alone the bundler cuts the shared parts into a dozen files of half a kilobyte, each a request.
 */
function createChunkNames() {
  let entry: Set<string> | null = null;
  let app: Set<string> | null = null;
  return (id: string, graph: ModuleGraph): string | null => {
    entry ??= drawIn([source("main.tsx")], graph);
    app ??= drawIn(
      [
        source("app/InShell.tsx"),
        source("app/routes/leads.tsx"),
        source("services/data.ts"),
        source("services/event-sharing.ts"),
        ...(graph.getModuleInfo(source("services/http.ts"))?.dynamicallyImportedIds ?? []),
      ],
      graph,
    );
    if (entry.has(id)) return "base";
    if (app.has(id)) return "app";
    const drawsAria = [...drawIn([id], graph)].some((drawn) => USES_ARIA.test(drawn));
    return SHARED.test(id) && !drawsAria ? "app" : null;
  };
}

export default defineConfig({
  plugins: [react(), { ...optimizeLocales.vite({ locales: ["en-US"] }), enforce: "pre" }],
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: "dist/web",
    manifest: true,
    // The product's CSS is small: one file spares every screen a request and a shift of layout.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: createChunkNames(), debugName: "app", includeDependenciesRecursively: false }],
        },
      },
    },
  },
});
