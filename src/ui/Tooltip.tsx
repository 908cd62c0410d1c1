import { CircleQuestionMark } from "lucide-react";
import type { ReactNode } from "react";
import { Tooltip as AriaTooltip, Button, TooltipTrigger } from "react-aria-components";
import css from "./Tooltip.module.css";

export type TooltipProps = {
  /** The accessible name of the help button. */
  label: string;
  children: ReactNode;
};

/** A small help button whose text shows on hover and on keyboard focus; Escape hides it. */
export function Tooltip({ label, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={150} closeDelay={100}>
      <Button className={css["trigger"] ?? ""} aria-label={label}>
        <CircleQuestionMark aria-hidden="true" />
      </Button>
      <AriaTooltip className={css["tooltip"] ?? ""} offset={6}>
        {children}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
