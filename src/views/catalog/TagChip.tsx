import type { ReactNode } from "react";
import { ColorDot } from "../../ui/Badge.tsx";
import { Row, Span } from "../../ui/layout.tsx";
import css from "./catalog.module.css";

export const TagChip = ({ tag, children }: { tag: { name: string; color: string }; children?: ReactNode }) => (
  <Row as="span" gap={1} share="less" size="sm" className={css["chip"]}>
    <ColorDot color={tag.color} />
    <Span clamp={1} dir="auto" title={tag.name}>
      {tag.name}
    </Span>
    {children}
  </Row>
);
