import type { ComponentProps } from "react";
import css from "./Badge.module.css";
import { classNames } from "./class-names.ts";

export type BadgeProps = ComponentProps<"span"> & { tone?: "good" | "bad" | "warn" | "neutral" };

/** A short word about a thing's state. The colour repeats what the word says. */
export function Badge({ tone = "neutral", className, ...props }: BadgeProps) {
  return <span {...props} className={classNames(css["badge"], css[tone], className)} />;
}

export function ColorDot({ color }: { color: string | null | undefined }) {
  return <span className={css["dot"]} style={color ? { backgroundColor: color } : undefined} aria-hidden="true" />;
}
