import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import css from "./RouteProblem.module.css";

/** A page that cannot be shown, and the ways on from it. */
export function RouteProblem({
  title,
  children,
  onRetry,
}: {
  title: string;
  children: ReactNode;
  onRetry?: () => void;
}) {
  return (
    <div className={css["problem"]} role="alert">
      <h1 tabIndex={-1}>{title}</h1>
      <div>{children}</div>
      {onRetry && (
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
