import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const icon = fileURLToPath(new URL("../../src/ui/icon.ts", import.meta.url));
const list = fileURLToPath(new URL("../../node_modules/lucide-react/dist/esm/lucide-react.mjs", import.meta.url));

/** The package's own list of its icons: the file of each name. */
function readFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const [, names = "", file = ""] of readFileSync(list, "utf8").matchAll(
    /^export \{ ([^}]*) \} from '\.\/(icons\/[\w-]+)\.mjs';$/gm,
  ))
    for (const [, name = ""] of names.matchAll(/default as (\w+)/g)) files.set(name, file);
  return files;
}

/**
 * Draws Lucide's icons by `src/ui/icon.ts` instead of the package's own component, which takes sizes, colours and
 * contexts that nobody here gives and works them out anew for each of the thirty icons of a first screen. Each is imported
 * from its own file: over the package's list every screen would seem to need the icons of all.
 */
export const slimIcons = (): Plugin => {
  const files = readFiles();
  return {
    name: "slim-icons",
    apply: "build",
    enforce: "pre",
    resolveId: (source, importer) =>
      source === "../createLucideIcon.mjs" && importer?.includes("/lucide-react/") === true ? icon : null,
    transform(code, id) {
      if (id.includes("/node_modules/") || !code.includes('"lucide-react"')) return null;
      return code.replace(/import \{([^}]*)\} from "lucide-react";/g, (_whole, names: string) =>
        names
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "" && !name.startsWith("type "))
          .map((name) => {
            const [own = "", local = own] = name.split(" as ");
            const file = files.get(own);
            if (file === undefined) throw new Error(`${id} imports ${own}, which lucide-react's list does not name`);
            return `import ${local} from "lucide-react/${file}";`;
          })
          .join(""),
      );
    },
  };
};
