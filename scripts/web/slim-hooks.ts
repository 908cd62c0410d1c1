import type { Plugin } from "vite";

/**
 * What the router's and the charts' hooks bring for Reacts without `useSyncExternalStore` and for routes by pattern, of
 * which nothing is used here (1 KB after gzip), and the little that stands in for it.
 */
const PARTS: Record<string, string> = {
  "use-sync-external-store/shim": `export { useSyncExternalStore } from "react";`,
  "use-sync-external-store/shim/index.js": `export { useSyncExternalStore } from "react";`,
  "use-sync-external-store/shim/with-selector": `import { useMemo, useSyncExternalStore } from "react";
export const useSyncExternalStoreWithSelector = (subscribe, read, _readAhead, select, isSame) => {
  const readSelection = useMemo(() => {
    if (isSame({}, {})) throw new Error("selections are told apart by identity in the build");
    let snapshot, selection, isRead = false;
    return () => {
      const next = read();
      if (!isRead || next !== snapshot) [snapshot, selection, isRead] = [next, select(next), true];
      return selection;
    };
  }, [read, select]);
  return useSyncExternalStore(subscribe, readSelection);
};`,
  regexparam: `export const parse = () => {
  throw new Error("routes by pattern are left out of the build");
};`,
};

/** Builds hooks of packages without the parts that this React and these routes do not need. */
export const slimHooks = (): Plugin => ({
  name: "slim-hooks",
  apply: "build",
  enforce: "pre",
  resolveId: (source) => (source in PARTS ? { id: `\0slim-hooks/${source}`, moduleSideEffects: false } : null),
  load: (id) => (id.startsWith("\0slim-hooks/") ? (PARTS[id.slice("\0slim-hooks/".length)] ?? null) : null),
});
