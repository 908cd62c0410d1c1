import type { ComponentProps } from "react";
import css from "./Table.module.css";
import { classNames } from "./class-names.ts";

/** The container of a table, which defines its width. */
export const TableFrame = ({ className, ...props }: ComponentProps<"div">) => (
  <div {...props} className={classNames(css["frame"], className)} />
);

/** The class of each row; a class rather than a component, since there are many rows. */
export const tableRow = css["row"] ?? "";

export type TableProps = ComponentProps<"table"> & {
  /** Shows rows as cards in a narrow container. */
  asCards?: boolean;
};

export const Table = ({ asCards = false, className, ...props }: TableProps) => (
  <table {...props} className={classNames(css["table"], asCards && css["cards"], className)} />
);

/** A table of figures with row headers. */
export const Figures = ({ className, ...props }: ComponentProps<"table">) => (
  <table {...props} className={classNames(css["figures"], className)} />
);
