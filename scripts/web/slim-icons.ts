import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const icon = fileURLToPath(new URL("../../src/ui/icon.ts", import.meta.url));

/**
 * Draws Lucide's icons by `src/ui/icon.ts` instead of the package's own component, which takes sizes, colours and
 * contexts that nobody here gives and works them out anew for each of the thirty icons of a first screen.
 */
export const slimIcons = (): Plugin => ({
  name: "slim-icons",
  apply: "build",
  enforce: "pre",
  resolveId: (source, importer) =>
    source === "../createLucideIcon.mjs" && importer?.includes("/lucide-react/") === true ? icon : null,
});
