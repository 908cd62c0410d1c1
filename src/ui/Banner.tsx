import type { ReactNode } from "react";
import { type TextNode, translate } from "#language";
import { type Look, Row } from "./layout.tsx";
import css from "./Banner.module.css";
import { classNames } from "./class-names.ts";
import { passFocusOnRemoval } from "./lost-focus.ts";

export type BannerProps = Pick<Look, "after"> & {
  tone?: "info" | "good" | "bad" | "warn";
  children: TextNode;
  /** Buttons or links at the end. */
  actions?: ReactNode;
  /** The text changes too often to be announced; another element announces the milestones. */
  isSilent?: boolean;
};

/** A message in the page's flow. Errors interrupt a screen reader, other messages wait their turn. */
export function Banner({ tone = "info", children, actions, after, isSilent = false }: BannerProps) {
  const isInfo = tone === "info";
  return (
    <Row
      wraps
      gap={[2, 4]}
      pad={[3, 4]}
      after={after}
      tone={isInfo ? undefined : tone}
      tint={isInfo ? "accent" : tone}
      className={classNames(css["banner"], isInfo && css["info"])}
    >
      <div className={css["text"]} role={isSilent ? undefined : tone === "bad" ? "alert" : "status"}>
        {translate(children)}
      </div>
      {actions != null && (
        <Row wraps align="stretch" gap={2} ref={passFocusOnRemoval}>
          {actions}
        </Row>
      )}
    </Row>
  );
}
