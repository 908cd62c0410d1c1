import css from "./Meter.module.css";
import { classNames } from "./class-names.ts";

export type MeterProps = {
  value: number;
  max: number;
  /** What the figures mean; without a name the figures stand beside the bar, and the bar is for the eye alone. */
  label?: string;
  /** What grows until it is done is a `progressbar`. */
  role?: "meter" | "progressbar";
  color?: string;
  className?: string | undefined;
};

/** A bar that shows how much of a whole there is. */
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
