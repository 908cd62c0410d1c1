import type { ReactNode } from "react";
import { Box, Row, Text } from "./layout.tsx";

export type PageHeaderProps = { title: ReactNode; subtitle?: ReactNode; actions?: ReactNode };

/** The screen's only h1. It takes the focus on navigation, so that screen readers start here. */
export function PageHeader({ title, subtitle, actions }: PageHeaderProps) {
  return (
    <Row as="header" wraps align="end" justify="between" gap={[3, 5]} after={5}>
      <Box share="less">
        <h1 tabIndex={-1}>{title}</h1>
        {subtitle != null && (
          <Text before={1} tone="muted" style={{ minBlockSize: "1lh" }}>
            {subtitle}
          </Text>
        )}
      </Box>
      {actions != null && (
        <Row wraps gap={2}>
          {actions}
        </Row>
      )}
    </Row>
  );
}
