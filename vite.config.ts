import optimizeLocales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;
const proxy = Object.fromEntries(["/api", "/auth", "/rest", "/sandbox", "/webhooks"].map((path) => [path, server]));

export default defineConfig({
  plugins: [react(), { ...optimizeLocales.vite({ locales: ["en-US"] }), enforce: "pre" }],
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: "dist/web",
    manifest: true,
    // The product's CSS is small: one file spares every screen a request and a shift of layout.
    cssCodeSplit: false,
    target: "baseline-widely-available",
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every visit needs comes in one piece, so that the first screen takes one round trip after the page.
          groups: [
            {
              name: "base",
              test: /node_modules[\\/](react|react-dom|scheduler|xstate|@xstate|wouter|regexparam)[\\/]/,
              priority: 2,
            },
          ],
        },
      },
    },
  },
});
