import type { OpenDatabase } from "../../../server/db/index.ts";
import type { Installation } from "./installation.ts";

/** One line of the table: what was measured, and what it may cost. */
export type Figure = { item: string; figure: string; budget: string; isWithin: boolean };

/** What a topic measures on. `accounts` and `leads` are sizes; what does not stand yet the topic writes itself. */
export type Scale = {
  accounts: number;
  leads: number;
  database: OpenDatabase;
  databaseUrl: string;
  /** the simulated network with all accounts logged in, and workers started when a topic asks for them */
  installation: Installation;
  say: (line: string) => void;
};

/** A question about scale, in a file of its own; `name` selects it on the command line. */
export type Topic = { name: string; measure(scale: Scale): Promise<Figure[]> };

/** A figure that must not be above its budget. */
export const atMost = (item: string, value: number, budget: number, unit: string): Figure => ({
  item,
  figure: `${Math.round(value * 100) / 100} ${unit}`,
  budget: `≤ ${Math.round(budget * 100) / 100} ${unit}`,
  isWithin: value <= budget,
});

/** A figure that must not be below its budget. */
export const atLeast = (item: string, value: number, budget: number, unit: string): Figure => ({
  ...atMost(item, value, budget, unit),
  budget: `≥ ${Math.round(budget * 100) / 100} ${unit}`,
  isWithin: value >= budget,
});
