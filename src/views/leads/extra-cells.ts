import type { ComponentType } from "react";
import type { Lead } from "../../../domain/lead.ts";

/** Cells that stand before and after the list's own, brought by a part that loads when it is wanted. */
export type ExtraCells = {
  /** How many there are in a row. */
  count: number;
  /** Columns of the list that are not shown, for the style sheet that comes along. */
  hidden: string;
  HeadStart: ComponentType;
  HeadEnd: ComponentType;
  RowStart: ComponentType<{ lead: Lead }>;
  RowEnd: ComponentType<{ lead: Lead }>;
};
