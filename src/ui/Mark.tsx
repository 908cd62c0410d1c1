import { t } from "@lingui/core/macro";
import { type TextNode, translate } from "#language";
import { Row, Span } from "./layout.tsx";
import { Button } from "./Button.tsx";
import { passFocusOnRemoval } from "./lost-focus.ts";

export type MarkProps = {
  children: TextNode;
  /** The full text, if the visible text is cut off. */
  title?: string | undefined;
  onRetry?: (() => void) | undefined;
  /** Retry is not possible yet: the button is focusable and does nothing. */
  isAriaDisabled?: boolean | undefined;
  /** The button's accessible name, if 'Try again' alone is unclear. */
  retryLabel?: string | undefined;
};

/** An unobtrusive error message, announced politely, with a retry button. */
export function Mark({ children, title, onRetry, isAriaDisabled, retryLabel }: MarkProps) {
  return (
    <Row wraps gap={[1, 3]}>
      <Span size="sm" tone="warn" weight="firm" role="status" title={title}>
        {translate(children)}
      </Span>
      {onRetry && (
        <Button
          ref={passFocusOnRemoval}
          size="small"
          isAriaDisabled={isAriaDisabled}
          onClick={onRetry}
          aria-label={retryLabel}
        >
          {t`Try again`}
        </Button>
      )}
    </Row>
  );
}
