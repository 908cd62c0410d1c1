import { type ComponentProps, type ReactNode, useId } from "react";
import { Note } from "./layout.tsx";
import css from "./Switch.module.css";

export type SwitchProps = Omit<ComponentProps<"input">, "type" | "role"> & { label: string; description?: ReactNode };

/** A native checkbox that looks like a switch and is announced as one. */
export function Switch({ label, description, ...props }: SwitchProps) {
  const id = useId();
  return (
    <div>
      <label className={css["row"]}>
        <input
          {...props}
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox reports its own checked state
          role="switch"
          className={css["input"]}
          aria-describedby={description == null ? undefined : id}
        />
        <span className={css["track"]} aria-hidden="true" />
        <span>{label}</span>
      </label>
      {description != null && <Note id={id}>{description}</Note>}
    </div>
  );
}
