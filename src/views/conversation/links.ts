import { useSyncExternalStore } from "react";

/** Where links stand in a text, in UTF-16 units. */
export type LinkFinder = (text: string) => { index: number; lastIndex: number; url: string }[];

let finder: LinkFinder | null = null;
let isLoading = false;
const listeners = new Set<() => void>();

/** The words come first, what they lead to a moment later; without it they are words. */
function load(): void {
  if (isLoading) return;
  isLoading = true;
  import("linkify-it").then(
    ({ LinkifyIt }) => {
      const linkify = new LinkifyIt({ fuzzyLink: true });
      finder = (text) => linkify.match(text) ?? [];
      for (const tell of listeners) tell();
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

/** Finds links once its code has come; null before. */
export const useLinkFinder = (): LinkFinder | null => useSyncExternalStore(subscribe, () => finder);
