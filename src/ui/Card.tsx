import type { ComponentProps } from "react";
import css from "./Card.module.css";
import { classNames } from "./class-names.ts";

/** A surface that groups what belongs together. */
export function Card({ className, ...props }: ComponentProps<"section">) {
  return <section {...props} className={classNames(css["card"], className)} />;
}
