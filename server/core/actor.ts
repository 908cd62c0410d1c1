import type { Caller } from "./deps.ts";

/** The name of the key that a caller has used, for the rows that it causes; null for a person. */
export const byKeyOf = ({ key }: Pick<Caller, "key">): string | null => key?.name ?? null;
