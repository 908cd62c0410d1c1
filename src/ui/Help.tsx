import { useId } from "react";
import { Span } from "./layout.tsx";
import css from "./Help.module.css";

/** A question mark whose text shows on hover or focus; Escape hides it. `label` is its accessible name. */
export function Help({ label, children }: { label: string; children: string }) {
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
      <Span surface="raised" pad={[2, 3]} size="sm" id={id} role="tooltip" className={css["text"]}>
        {children}
      </Span>
    </span>
  );
}
