import type { ReactNode } from "react";
import { ColorDot } from "../../ui/ColorDot.tsx";
import css from "./TagChip.module.css";

/** A tag by its colour and name, and what can be done with it. */
export const TagChip = ({ tag, children }: { tag: { name: string; color: string }; children?: ReactNode }) => (
  <span className={css["chip"]}>
    <ColorDot color={tag.color} />
    <span className={css["name"]} dir="auto" title={tag.name}>
      {tag.name}
    </span>
    {children}
  </span>
);
