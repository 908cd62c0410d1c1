import type { ComponentProps } from "react";
import css from "./Table.module.css";
import { classNames } from "./class-names.ts";

/** What a table of rows stands in, and takes its width from. */
export const TableFrame = ({ className, ...props }: ComponentProps<"div">) => (
  <div {...props} className={classNames(css["frame"], className)} />
);

/** The class of each row; a class alone, since there are many of them. */
export const tableRow = css["row"] ?? "";

export type TableProps = ComponentProps<"table"> & {
  /** Rows are cards where the frame is narrow. */
  asCards?: boolean;
};

export const Table = ({ asCards = false, className, ...props }: TableProps) => (
  <table {...props} className={classNames(css["table"], asCards && css["cards"], className)} />
);

/** A table of figures, under the words of its first column. */
export const Figures = ({ className, ...props }: ComponentProps<"table">) => (
  <table {...props} className={classNames(css["figures"], className)} />
);
