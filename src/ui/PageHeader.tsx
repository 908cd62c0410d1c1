import type { ReactNode } from "react";
import css from "./PageHeader.module.css";

export type PageHeaderProps = { title: ReactNode; subtitle?: ReactNode; actions?: ReactNode };

/** The screen's one h1. It takes the focus when the route changes, so a screen reader starts here. */
export function PageHeader({ title, subtitle, actions }: PageHeaderProps) {
  return (
    <header className={css["header"]}>
      <div className={css["words"]}>
        <h1 tabIndex={-1} className={css["title"]}>
          {title}
        </h1>
        {subtitle != null && <p className={css["subtitle"]}>{subtitle}</p>}
      </div>
      {actions != null && <div className={css["actions"]}>{actions}</div>}
    </header>
  );
}
