import { t } from "@lingui/core/macro";
import { type KeyboardEvent, useRef, useState } from "react";
import { NativeSelect, type NativeSelectProps, opensByArrow } from "./Field.tsx";

export type ActionSelectProps = Omit<NativeSelectProps, "value" | "onChange"> & {
  value: string;
  onChoose: (value: string) => void;
};

/**
 * A select that acts on a choice. A click or tap acts at once. Keys only preview options until Enter or blur; Escape restores the value.
 */
export function ActionSelect({ value, onChoose, ...props }: ActionSelectProps) {
  const [passed, setPassed] = useState<string | null>(null);
  const isPassing = useRef(false);
  const choose = (next: string | null) => {
    setPassed(null);
    if (next !== null && next !== value) onChoose(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const opens = event.key === " " || event.altKey || (event.key.startsWith("Arrow") && opensByArrow());
    isPassing.current = !opens && event.key !== "Enter";
    if (event.key === "Escape") setPassed(null);
    if (event.key !== "Enter" || passed === null) return;
    // Some browsers would open the closed list instead.
    event.preventDefault();
    choose(passed);
  };
  return (
    <NativeSelect
      title={t`Enter applies, Escape cancels`}
      {...props}
      value={passed ?? value}
      onChange={({ target }) => (isPassing.current ? setPassed(target.value) : choose(target.value))}
      onPointerDown={() => {
        isPassing.current = false;
      }}
      onKeyDown={onKeyDown}
      onBlur={() => {
        isPassing.current = false;
        choose(passed);
      }}
    />
  );
}
