import type { DeedId } from "./keyed.ts";

export type Deeds = Partial<Record<DeedId, () => void>>;

const offered: Deeds[] = [];

/** Tells what the screen that is shown can do, until it is left; returns what ends it. */
export function offerDeeds(deeds: Deeds): () => void {
  offered.unshift(deeds);
  return () => {
    const place = offered.indexOf(deeds);
    if (place !== -1) offered.splice(place, 1);
  };
}

/** How a deed is done now, by who offered it last; null where nobody does. */
export const offeredDeed = (id: DeedId): (() => void) | null => offered.find((deeds) => deeds[id])?.[id] ?? null;
