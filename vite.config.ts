import { fileURLToPath } from "node:url";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { bootFirst } from "./scripts/web/boot-first.ts";

const server = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;
const proxy = Object.fromEntries(["/api", "/auth", "/rest", "/sandbox", "/webhooks"].map((path) => [path, server]));

type ModuleGraph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
const ARIA = /react-aria|react-stately|@internationalized/;

/** Adds the modules and everything that they import statically to `reached`. */
function addImports(ids: readonly string[], graph: ModuleGraph, reached = new Set<string>()): Set<string> {
  for (const id of ids) {
    if (reached.has(id)) continue;
    reached.add(id);
    addImports(graph.getModuleInfo(id)?.importedIds ?? [], graph, reached);
  }
  return reached;
}

const ENTRIES = {
  boot: ["app/loading/boot.ts"],
  // The second is a few lines that the sign-up shares with the shell: it should not load the shell for them.
  base: ["main.tsx", "app/lifetime.ts"],
  // The last two are read with the first screen: a chunk of their own would bring `shared` with it.
  app: ["app/InShell.tsx", "app/routes/leads.tsx", "services/subscription.ts", "services/event-sharing.ts"],
};

/**
 * The modules that each of ENTRIES imports, and the packages of `base` by themselves: they change less often than the page. The
 * styles of `app` come with `base`, in one file less.
 */
function createEntryChunks() {
  let chunks: Map<string, string> | null = null;
  return {
    debugName: "entries",
    includeDependenciesRecursively: false,
    name(id: string, graph: ModuleGraph) {
      chunks ??= new Map(
        Object.entries(ENTRIES)
          .toReversed()
          .flatMap(([name, modules]) =>
            [...addImports(modules.map(source), graph)].map((each) => [
              each,
              name === "app" && each.endsWith(".css") ? "base" : name,
            ]),
          ),
      );
      const name = chunks.get(id) ?? null;
      return name === "base" && id.includes("/node_modules/") ? "packages" : name;
    },
  };
}

/** A chunk of what several screens share. What needs react-aria stays out: few screens do. */
const shared = {
  debugName: "shared",
  minShareCount: 4,
  includeDependenciesRecursively: false,
  name: (id: string, graph: ModuleGraph) =>
    [...addImports([id], graph)].some((reached) => ARIA.test(reached)) ? null : "shared",
};

export default defineConfig({
  plugins: [
    lingui({ macroTransform: true, failOnCompileError: true }),
    react(),
    { ...optimizeLocales.vite({ locales: [] }), enforce: "pre" },
    bootFirst("src/app/loading/boot.ts"),
  ],
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: "dist/web",
    manifest: true,
    // The first browsers that know light-dark(): a fallback for older ones doubles the size of the styles.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // V8 compiles these files whole while they arrive: most of their functions are called before the first frame.
        postBanner: ({ name }) => (name === "packages" || name === "app" ? "//# allFunctionsCalledOnLoad" : ""),
        codeSplitting: {
          groups: [createEntryChunks(), shared],
        },
      },
    },
  },
});
