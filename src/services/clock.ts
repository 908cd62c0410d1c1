/** The one source of the current time for machines and views: milliseconds since 1970. */
export type Clock = { now: () => number };

export const systemClock: Clock = { now: () => Date.now() };
