import path from "node:path";
import react from "@vitejs/plugin-react";
import { type Plugin, defineConfig } from "vite";
import { walkedFiles } from "./files.ts";

const here = import.meta.dirname;
const shim = (name: string) => path.join(here, "shims", name);

/** What the walked files import of a test runner, as it stands in a browser; and the list of them. */
function walks(): Plugin {
  return {
    name: "walks",
    enforce: "pre",
    resolveId(id) {
      if (id === "virtual:walks") return id;
      return id.endsWith("/support/walk-view.tsx") ? path.join(here, "register.ts") : null;
    },
    load(id) {
      if (id !== "virtual:walks") return null;
      const loads = walkedFiles().map((file) => `${JSON.stringify(file)}: () => import("/tests/${file}")`);
      return `export const files = {${loads.join(", ")}};`;
    },
  };
}

export default defineConfig({
  root: path.join(here, "../.."),
  logLevel: "warn",
  plugins: [walks(), react()],
  resolve: {
    alias: [
      { find: /^vitest$/, replacement: shim("vitest.ts") },
      { find: /^@testing-library\/react$/, replacement: shim("testing-library.ts") },
      { find: /^@testing-library\/user-event$/, replacement: shim("user-event.ts") },
    ],
  },
  build: {
    outDir: "dist/walks",
    minify: false,
    modulePreload: false,
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: { input: path.join(here, "walks.html") },
  },
});
