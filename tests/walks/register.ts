import type { WalkedView } from "../support/walk-view.tsx";

export const registered: WalkedView[] = [];

/** Keeps the walk for the page, which takes it when it is asked to. */
export const walkEveryView = (walk: WalkedView): void => void registered.push(walk);

/** The page chooses its paths itself. */
export const coveringPaths = async () => [];
