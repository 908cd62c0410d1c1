import type { ComponentProps, ReactNode } from "react";
import css from "./IconButton.module.css";
import { classNames } from "./class-names.ts";

export type IconButtonProps = Omit<ComponentProps<"button">, "children" | "aria-label"> & {
  /** The accessible name, also shown as the native tooltip. */
  label: string;
  icon: ReactNode;
  /** The key's name, where a screen presses the button by one. */
  "data-shortcut"?: string;
};

/** The same look for what is no plain button: a link, a part of React Aria. */
export const iconLook = (className?: string) => classNames(css["button"], className);

export function IconButton({ label, icon, className, title = label, ...props }: IconButtonProps) {
  return (
    <button type="button" {...props} aria-label={label} title={title} className={iconLook(className)}>
      {icon}
    </button>
  );
}
