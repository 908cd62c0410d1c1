import type { ReactNode } from "react";
import { Stack, Text } from "./layout.tsx";
import css from "./EmptyState.module.css";

export type EmptyStateProps = {
  icon?: ReactNode;
  /** What is missing. */
  title: string;
  /** What to do next. */
  children?: ReactNode;
  actions?: ReactNode;
};

export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <Stack justify="center" gap={2} className={css["empty"]}>
      {icon != null && (
        <Stack as="span" justify="center" after={1} tone="accent" className={css["icon"]} aria-hidden="true">
          {icon}
        </Stack>
      )}
      <Text size="lg" weight="medium">
        {title}
      </Text>
      {children != null && (
        <Text as="div" max="26rem" tone="muted">
          {children}
        </Text>
      )}
      {actions}
    </Stack>
  );
}
