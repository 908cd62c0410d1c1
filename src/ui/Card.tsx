import type { ComponentProps } from "react";
import { Box } from "./layout.tsx";
import css from "./Card.module.css";
import { classNames } from "./class-names.ts";

/** A surface that groups what belongs together. */
export function Card({ className, ...props }: ComponentProps<"section">) {
  return <Box as="section" surface="card" share="less" {...props} className={classNames(css["card"], className)} />;
}
