import type { Part } from "../owned-data/index.ts";

/** What is chosen for automation and for all conversations: `settings.json`. */
export const SETTINGS_FILE = "settings.json";
export const fileOf = ({ name }: Part): string => `${name}.csv`;
