import { fromPromise } from "xstate";
import type { Lead } from "../../../domain/lead.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";

export type PaletteDeps = {
  people: {
    /** The people whom the words name, the likeliest first; the newest for no words. */
    find(input: { query: string }, signal: AbortSignal): Promise<readonly Lead[]>;
  };
  logger: Logger;
};

export type Found = { query: string; people: readonly Lead[] };

export const placeholderActors = { findPeople: notProvided<Found, { query: string }>("findPeople") };

export const createPaletteActors = ({ people }: PaletteDeps): typeof placeholderActors => ({
  findPeople: fromPromise(async ({ input, signal }) => ({
    query: input.query,
    people: await people.find(input, signal),
  })),
});
