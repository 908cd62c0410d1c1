import type { ComponentProps, MouseEvent, ReactNode } from "react";
import css from "./Button.module.css";
import { Spinner } from "./Loading.tsx";
import { classNames } from "./class-names.ts";

export type ButtonProps = ComponentProps<"button"> & {
  /** Would be ignored: use `isAriaDisabled`. */
  "aria-disabled"?: never;
  variant?: "primary" | "secondary" | "ghost" | "danger";
  size?: "small" | "medium";
  /** At the start of a stack, as wide as its content; otherwise as wide as the stack. */
  isAtStart?: boolean;
  /** In progress: announced, ignores clicks and keeps the focus. Overrides `disabled`. */
  isPending?: boolean | undefined;
  /** Looks disabled and ignores clicks, but stays focusable. */
  isAriaDisabled?: boolean | undefined;
};

export const buttonClass = (size?: "small"): string => classNames(css["button"], css["secondary"], size && css[size]);

export function Button({
  variant = "secondary",
  size = "medium",
  isAtStart = false,
  isPending = false,
  isAriaDisabled = false,
  disabled = false,
  className,
  children,
  onClick,
  type = "button",
  ...props
}: ButtonProps) {
  const act = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPending || isAriaDisabled) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...props}
      // oxlint-disable-next-line react/button-has-type -- the type is always one of React's button types, "button" by default
      type={type}
      className={classNames(css["button"], css[variant], css[size], isAtStart && css["start"], className)}
      disabled={disabled && !isPending}
      aria-disabled={isPending || isAriaDisabled || undefined}
      aria-busy={isPending || undefined}
      onClick={act}
    >
      {isPending && <Spinner />}
      {children}
    </button>
  );
}

export type IconButtonProps = Omit<ComponentProps<"button">, "children" | "aria-label"> & {
  /** The accessible name, also shown as the native tooltip. */
  label: string;
  icon: ReactNode;
  /** The keyboard shortcut of the button. */
  "data-shortcut"?: string;
};

/** The same look for elements other than a button: a link, a React Aria component. */
export const iconButtonClass = (className?: string) => classNames(css["icon"], className);

export function IconButton({ label, icon, className, title = label, ...props }: IconButtonProps) {
  return (
    <button type="button" {...props} aria-label={label} title={title} className={iconButtonClass(className)}>
      {icon}
    </button>
  );
}
