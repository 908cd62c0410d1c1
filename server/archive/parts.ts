import { CATALOG } from "./catalog-parts.ts";
import type { Part } from "./part.ts";
import { PEOPLE } from "./people-parts.ts";

export type { Part, PartName } from "./part.ts";

/** The files of an archive in the order in which they are brought in: what is referred to comes first, and messages before their leads. */
export const PARTS: readonly Part[] = [...CATALOG, ...PEOPLE];

/** What is chosen for automation and for all conversations: `settings.json`. */
export const SETTINGS_FILE = "settings.json";
export const fileOf = ({ name }: Part): string => `${name}.csv`;
