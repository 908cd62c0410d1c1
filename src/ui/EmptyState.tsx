import type { ReactNode } from "react";
import css from "./EmptyState.module.css";

export type EmptyStateProps = {
  icon?: ReactNode;
  /** What there is none of. */
  title: string;
  /** What to do next. */
  children?: ReactNode;
  actions?: ReactNode;
};

export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className={css["empty"]}>
      {icon != null && (
        <span className={css["icon"]} aria-hidden="true">
          {icon}
        </span>
      )}
      <p className={css["title"]}>{title}</p>
      {children != null && <div className={css["hint"]}>{children}</div>}
      {actions}
    </div>
  );
}
