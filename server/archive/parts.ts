import type { Part } from "../owned-data/index.ts";

/** The file with the user's settings. */
export const SETTINGS_FILE = "settings.json";
export const fileOf = ({ name }: Part): string => `${name}.csv`;
