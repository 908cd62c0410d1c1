import type { ComponentType } from "react";
import type { Lead } from "../../../domain/lead.ts";

/** Cells that stand before the list's own and before its actions, brought by a part that loads when it is wanted. */
export type ExtraCells = {
  /** How many there are in a row. */
  count: number;
  /** Columns of the list that are not shown, for the style sheet that comes along. */
  hidden: string;
  HeadStart: ComponentType;
  HeadMore: ComponentType;
  RowStart: ComponentType<{ lead: Lead }>;
  RowMore: ComponentType<{ lead: Lead }>;
};
