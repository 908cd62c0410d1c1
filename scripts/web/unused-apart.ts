import type { Plugin } from "vite";

type Script = { type: string; name?: string; fileName: string; code: string; imports: string[] };

/**
 * Takes the files of these names out of scripts that import nothing from them. The bundler keeps such an import for the
 * order in which files are run, which means nothing to files that only declare.
 */
export const unusedApart = (...names: string[]): Plugin => ({
  name: "unused-apart",
  apply: "build",
  generateBundle(_options, bundle) {
    const scripts = Object.values(bundle as unknown as Record<string, Script>).filter(({ type }) => type === "chunk");
    for (const name of names) {
      const apart = scripts.find((script) => script.name === name);
      if (!apart) throw new Error(`no file is called ${name}`);
      const bare = `import"./${apart.fileName.slice(apart.fileName.lastIndexOf("/") + 1)}";`;
      for (const script of scripts) {
        if (!script.code.includes(bare)) continue;
        script.code = script.code.replace(bare, "");
        script.imports.splice(script.imports.indexOf(apart.fileName), 1);
      }
    }
  },
});
