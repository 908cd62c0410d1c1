import path from "node:path";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const walks = path.join(import.meta.dirname, "walks");
const shim = (name: string) => path.join(walks, "shims", name);

export default defineConfig({
  root: path.join(import.meta.dirname, "../.."),
  logLevel: "warn",
  plugins: [lingui({ macroTransform: true }), react()],
  resolve: {
    // Replaces the test runner that the walked screens import with browser versions.
    alias: [
      { find: /^vitest$/, replacement: shim("vitest.ts") },
      { find: /^@testing-library\/react$/, replacement: shim("testing-library.ts") },
    ],
  },
  build: {
    outDir: "dist/walks",
    minify: false,
    modulePreload: false,
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: { input: path.join(walks, "walks.html") },
  },
});
