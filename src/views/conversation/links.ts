import { useSyncExternalStore } from "react";

/** Finds links in a text, in UTF-16 units. */
export type LinkFinder = (text: string) => { index: number; lastIndex: number; url: string }[];

let finder: LinkFinder | null = null;
let isLoading = false;
const listeners = new Set<() => void>();

/** The text shows first and its links a moment later; without the code it stays plain text. */
function load(): void {
  if (isLoading) return;
  isLoading = true;
  import("linkify-it").then(
    ({ LinkifyIt }) => {
      const linkify = new LinkifyIt({ fuzzyLink: true });
      finder = (text) => linkify.match(text) ?? [];
      for (const listener of listeners) listener();
    },
    () => {
      isLoading = false;
    },
  );
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  load();
  return () => listeners.delete(listener);
};

/** Returns the link finder once its code has loaded; null before. */
export const useLinkFinder = (): LinkFinder | null => useSyncExternalStore(subscribe, () => finder);
