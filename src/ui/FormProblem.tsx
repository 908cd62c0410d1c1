import type { ReactNode } from "react";
import css from "./FormProblem.module.css";

/** What is wrong with a form as a whole, in red; announced when it appears. */
export function FormProblem({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={css["problem"]}>
      {children}
    </div>
  );
}
