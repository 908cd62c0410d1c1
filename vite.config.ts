import optimizeLocales from "@react-aria/optimize-locales-plugin";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { bootFirst } from "./scripts/web/boot-first.ts";
import { compileWhole } from "./scripts/web/compile-whole.ts";

const server = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;
const proxy = Object.fromEntries(["/api", "/auth", "/rest", "/sandbox", "/webhooks"].map((path) => [path, server]));

type ModuleGraph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

const ARIA = /react-aria|react-stately|@internationalized/;

/** Whether a module is part of react-aria, or imports it. Few screens need it. */
function needsAria(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const imports = graph.getModuleInfo(id)?.importedIds ?? [];
  return ARIA.test(id) || imports.some((each) => needsAria(each, graph, seen));
}

export default defineConfig({
  plugins: [
    lingui({ macroTransform: true, failOnCompileError: true }),
    react(),
    { ...optimizeLocales.vite({ locales: [] }), enforce: "pre" },
    bootFirst("src/app/loading/boot.ts"),
    compileWhole(["base", "app"]),
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
        codeSplitting: {
          // A group takes what its modules import, unless one above it has it already.
          groups: [
            { name: "boot", test: /\/app\/loading\/boot\.ts$/, priority: 3 },
            // The login. The styles of the leads list come along, in one file less.
            {
              name: "base",
              test: /\/src\/(main\.tsx|app\/lifetime\.ts|(ui|views\/(language|leads|shell))\/.*\.css)$/,
              priority: 2,
            },
            // The shell and the leads list, their texts in English, and two services that would bring `shared` if they came apart.
            {
              name: "app",
              test: /\/(locales\/en\/app\.po|src\/(app\/InShell|app\/routes\/leads|services\/event-sharing|services\/subscription)\.tsx?)$/,
              priority: 1,
            },
            // What several screens share: without it a screen is up to 25 files instead of 10.
            {
              debugName: "shared",
              name: (id: string, graph: ModuleGraph) => (needsAria(id, graph) ? null : "shared"),
              minShareCount: 4,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});
