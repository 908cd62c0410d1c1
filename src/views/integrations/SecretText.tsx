import { t } from "@lingui/core/macro";
import { Check, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { TextArea, TextField } from "../../ui/Field.tsx";
import { Row, Stack, Span } from "../../ui/layout.tsx";
import css from "./integrations.module.css";

export type SecretTextProps = {
  label: string;
  text: string;
  description?: ReactNode;
  /** The outcome of the last copy. */
  outcome: "copied" | "refused" | undefined;
  isAriaDisabled: boolean;
  /** The button's label, such as `Copy key`. */
  copyLabel: string;
  onCopy: () => void;
};

/** A text that is shown once, with a copy button. It can also be selected. */
export function SecretText({ label, text, description, outcome, isAriaDisabled, copyLabel, onCopy }: SecretTextProps) {
  const control = {
    label,
    description,
    value: text,
    readOnly: true,
    dir: "ltr",
    spellCheck: false,
    autoComplete: "off",
    className: css["secret"] ?? "",
  };
  const lines = text.split("\n").length;
  return (
    <Stack gap={2} share="less">
      {lines > 1 ? (
        <TextArea {...control} rows={lines} wrap="off" onFocus={({ target }) => target.select()} />
      ) : (
        <TextField {...control} onFocus={({ target }) => target.select()} />
      )}
      <Row wraps gap={2}>
        <Button size="small" isAriaDisabled={isAriaDisabled} onClick={onCopy}>
          {outcome === "copied" ? <Check /> : <Copy />}
          {copyLabel}
        </Button>
        <Span size="sm" tone={outcome === "refused" ? "bad" : "muted"} role="status">
          {outcome === "copied" && t`Copied.`}
          {outcome === "refused" && t`The browser did not let the page copy it. Select the text and copy it yourself.`}
        </Span>
      </Row>
    </Stack>
  );
}
