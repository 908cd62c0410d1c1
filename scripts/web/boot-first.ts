import type { Plugin } from "vite";

/**
 * Puts the given script before all others in the page, as a file of its own that waits for nothing: it asks for what the
 * screen will need while the page's code is still on its way.
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
        if (bundle && !built) throw new Error(`${entry} was not built into a file of its own`);
        return [
          { tag: "script", attrs: { type: "module", async: true, crossorigin: true, src }, injectTo: "head-prepend" },
        ];
      },
    },
  };
}
