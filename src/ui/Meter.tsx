import css from "./Meter.module.css";
import { classNames } from "./class-names.ts";

export type MeterProps = {
  value: number;
  max: number;
  /** The accessible name; without it the figures are in the text beside it, and the bar is decorative. */
  label?: string;
  /** Use `progressbar` for progress that completes. */
  role?: "meter" | "progressbar";
  color?: string;
  className?: string | undefined;
};

/** A bar that shows a part of a whole. */
export function Meter({ value, max, label, role = "meter", color, className }: MeterProps) {
  const share = max > 0 ? Math.min(100, Math.max(0, (100 * value) / max)) : 0;
  const spoken =
    label === undefined
      ? { "aria-hidden": true }
      : { role, "aria-label": label, "aria-valuemin": 0, "aria-valuemax": max, "aria-valuenow": value };
  return (
    <span {...spoken} className={classNames(css["meter"], className)}>
      <span className={css["share"]} style={{ inlineSize: `${share}%`, backgroundColor: color }} />
    </span>
  );
}
