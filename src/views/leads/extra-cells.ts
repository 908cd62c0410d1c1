import type { ComponentType } from "react";
import type { Lead } from "../../../domain/lead.ts";

/** Cells before the default ones and before the actions, from a part that loads on demand. */
export type ExtraCells = {
  /** The number of cells per row. */
  count: number;
  /** The hidden columns, for the part's style sheet. */
  hidden: string;
  HeadStart: ComponentType;
  HeadMore: ComponentType;
  RowStart: ComponentType<{ lead: Lead }>;
  RowMore: ComponentType<{ lead: Lead }>;
};
