import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import css from "./Shell.module.css";

type RouteProblemProps = {
  title: string;
  children: ReactNode;
  onRetry?: () => void;
  /** Other actions beside 'Try again'. */
  actions?: ReactNode;
};

/** Replaces a page that cannot be shown, with actions. */
export function RouteProblem({ title, children, onRetry, actions }: RouteProblemProps) {
  return (
    <Stack justify="center" gap={4} pad={5} tone="muted" className={css["problem"]}>
      <div role="alert">
        <h1 tabIndex={-1}>{title}</h1>
        <div>{children}</div>
      </div>
      <Row wraps justify="center" gap={3}>
        {onRetry && (
          <Button variant="primary" onClick={onRetry}>
            {t`Try again`}
          </Button>
        )}
        {actions}
      </Row>
    </Stack>
  );
}
