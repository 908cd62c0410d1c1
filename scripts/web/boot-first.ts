import type { Plugin } from "vite";

/**
 * Adds the given script before all others in the page, as a separate async file, so that it requests the screen's data while the other code
 * loads.
 */
export function bootFirst(entry: string): Plugin {
  return {
    name: "boot-first",
    config: () => ({ build: { rolldownOptions: { input: { page: "index.html", boot: entry } } } }),
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const built = Object.values(bundle ?? {}).find(
          (part) => part.type === "chunk" && part.facadeModuleId?.endsWith(`/${entry}`) === true,
        );
        const src = bundle ? `/${built?.fileName}` : `/${entry}`;
        if (bundle && !built) throw new Error(`${entry} was not built into a separate file`);
        return [
          { tag: "script", attrs: { type: "module", async: true, crossorigin: true, src }, injectTo: "head-prepend" },
        ];
      },
    },
  };
}
