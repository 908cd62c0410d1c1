import type { Plugin } from "vite";

type Script = { type: string; name?: string; code: string };

/**
 * Tells V8 to compile all of these files while they arrive, beside the page's thread, in place of each function when it is
 * first called there: most of their functions are called before the first frame. Other browsers read a comment.
 */
export const runAtOnce = (...names: string[]): Plugin => ({
  name: "run-at-once",
  apply: "build",
  // After all else that is put before a file's code: the hint counts in its first line alone.
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const scripts = Object.values(bundle as unknown as Record<string, Script>).filter(({ type }) => type === "chunk");
      for (const name of names) {
        const script = scripts.find((one) => one.name === name);
        if (!script) throw new Error(`no file is called ${name}`);
        script.code = `//# allFunctionsCalledOnLoad\n${script.code}`;
      }
    },
  },
});
