import { useId } from "react";
import css from "./Help.module.css";

export type HelpProps = {
  /** The accessible name of the sign. */
  label: string;
  children: string;
};

/** A question mark whose text shows while the pointer or the focus is on it; Escape hides it. Made of no other code. */
export function Help({ label, children }: HelpProps) {
  const id = useId();
  return (
    <span className={css["help"]}>
      <button
        type="button"
        className={css["sign"]}
        aria-label={label}
        aria-describedby={id}
        onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
      >
        ?
      </button>
      <span id={id} role="tooltip" className={css["text"]}>
        {children}
      </span>
    </span>
  );
}
