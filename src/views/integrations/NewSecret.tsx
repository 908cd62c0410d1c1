import { t } from "@lingui/core/macro";
import { type ReactNode, useId } from "react";
import { Button } from "../../ui/Button.tsx";
import { focusIfLost } from "../../ui/lost-focus.ts";
import { Stack } from "../../ui/layout.tsx";
import css from "./integrations.module.css";

type NewSecretProps = { title: ReactNode; isAriaDisabled: boolean; onDone: () => void; children: ReactNode };

/** A new secret that is shown only once. */
export function NewSecret({ title, isAriaDisabled, onDone, children }: NewSecretProps) {
  const id = useId();
  return (
    <Stack
      as="section"
      surface="well"
      gap={4}
      pad={4}
      share="less"
      ref={focusIfLost}
      tabIndex={-1}
      className={css["revealed"]}
      aria-labelledby={id}
    >
      <h3 id={id}>{title}</h3>
      {children}
      <Button variant="primary" isAtStart isAriaDisabled={isAriaDisabled} onClick={onDone}>
        {t({ message: "Done", context: "closes a secret" })}
      </Button>
    </Stack>
  );
}
