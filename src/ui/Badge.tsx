import type { ComponentProps } from "react";
import css from "./Badge.module.css";
import { classNames } from "./class-names.ts";

export type BadgeProps = ComponentProps<"span"> & { tone?: "good" | "bad" | "warn" | "neutral" };

/** A short label for a state. The color repeats what the label says. */
export function Badge({ tone = "neutral", className, ...props }: BadgeProps) {
  return <span {...props} className={classNames(css["badge"], css[tone], className)} />;
}

export function ColorDot({ color }: { color: string | null | undefined }) {
  return <span className={css["dot"]} style={color ? { backgroundColor: color } : undefined} aria-hidden="true" />;
}
