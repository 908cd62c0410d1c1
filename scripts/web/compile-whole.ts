import type { Plugin } from "vite";

const HINT = "//# allFunctionsCalledOnLoad\n";

/**
 * Tells V8 to compile the named files whole while they arrive, instead of each function when it is first called
 * (https://v8.dev/blog/explicit-compile-hints). V8 reads the hint only on the first line, so a banner of the bundler is too early: Vite
 * writes its list of files before it.
 */
export function compileWhole(names: readonly string[]): Plugin {
  return {
    name: "compile-whole",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const part of Object.values(bundle))
          if (part.type === "chunk" && names.includes(part.name)) part.code = HINT + part.code;
      },
    },
  };
}
