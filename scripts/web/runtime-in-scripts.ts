import type { Plugin } from "vite";

type Script = { type: string; name?: string; fileName: string; code: string; imports: string[] };

/**
 * Gives each script its own copy of the few lines that the bundler needs at run time (0.4 KB, without state). The bundler
 * puts them into a file of their own as soon as files are grouped, which costs every visit a request.
 */
export const runtimeInScripts = (): Plugin => ({
  name: "runtime-in-scripts",
  apply: "build",
  generateBundle(_options, bundle) {
    const parts = bundle as unknown as Record<string, Script>;
    const scripts = Object.values(parts).filter(({ type }) => type === "chunk");
    const runtime = scripts.find(({ name }) => name === "rolldown-runtime");
    if (!runtime) return;
    const [, body = "", exported = ""] = /^([\s\S]*);export\{([^}]*)\};?\s*$/.exec(runtime.code) ?? [];
    if (body === "") throw new Error("the bundler's runtime has another form than expected");
    const entries = exported.split(",").map((pair) => pair.split(" as ").toReversed().join(":"));
    const copy = `(()=>{${body};return{${entries.join(",")}}})()`;
    const file = runtime.fileName.slice(runtime.fileName.lastIndexOf("/") + 1).replaceAll(".", "\\.");
    const importing = new RegExp(`import\\{([^}]*)\\}from"\\./${file}";`);
    for (const script of scripts) {
      if (!script.imports.includes(runtime.fileName)) continue;
      const [, names = ""] = importing.exec(script.code) ?? [];
      if (names === "")
        throw new Error(`${script.fileName} imports the bundler's runtime in another form than expected`);
      script.code = script.code.replace(importing, () => `const{${names.replaceAll(" as ", ":")}}=${copy};`);
      script.imports.splice(script.imports.indexOf(runtime.fileName), 1);
    }
    delete parts[runtime.fileName];
  },
});
