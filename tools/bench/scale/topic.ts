import type { OpenDatabase } from "../../../server/db/index.ts";
import type { Installation } from "./installation.ts";

/** One line of the table: a measured figure and its budget. */
export type Figure = { item: string; figure: string; budget: string; isWithin: boolean };

/** What a topic measures on. `accounts` and `leads` are sizes; a topic writes missing data itself. */
export type Scale = {
  accounts: number;
  leads: number;
  database: OpenDatabase;
  databaseUrl: string;
  /** the simulated network with all accounts logged in; topics start the workers they need */
  installation: Installation;
  print: (line: string) => void;
};

/** A measurement at scale, one per file; `name` selects it on the command line. */
export type Topic = { name: string; measure(scale: Scale): Promise<Figure[]> };

/** Returns a figure that must not exceed its budget. */
export const atMost = (item: string, value: number, budget: number, unit: string): Figure => ({
  item,
  figure: `${Math.round(value * 100) / 100} ${unit}`,
  budget: `≤ ${Math.round(budget * 100) / 100} ${unit}`,
  isWithin: value <= budget,
});

/** Returns a figure that must reach its budget. */
export const atLeast = (item: string, value: number, budget: number, unit: string): Figure => ({
  ...atMost(item, value, budget, unit),
  budget: `≥ ${Math.round(budget * 100) / 100} ${unit}`,
  isWithin: value >= budget,
});
