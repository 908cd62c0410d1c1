import type { Part } from "../owned-data/index.ts";

export const SETTINGS_FILE = "settings.json";
export const fileOf = ({ name }: Part): string => `${name}.csv`;
