import { CircleQuestionMark } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Tooltip as AriaTooltip, Button, TooltipTrigger } from "react-aria-components";
import css from "./Tooltip.module.css";

/**
 * A help button whose text shows on hover, keyboard focus or press; Escape and a press elsewhere hide it. `label` is its accessible name.
 */
export function Tooltip({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);

  // A tap outside does not blur the button in every browser.
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !trigger.current?.contains(target)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, [isOpen]);

  return (
    <TooltipTrigger delay={150} closeDelay={100} shouldCloseOnPress={false} isOpen={isOpen} onOpenChange={setIsOpen}>
      <Button
        ref={trigger}
        className={css["trigger"] ?? ""}
        aria-label={label}
        onPress={({ pointerType }) => setIsOpen(pointerType === "mouse" || !isOpen)}
      >
        <CircleQuestionMark />
      </Button>
      <AriaTooltip className={css["tooltip"] ?? ""} offset={6}>
        {children}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
