import { useLingui } from "@lingui/react/macro";
import { type TextNode, useTranslateNode } from "#language";
import { Row, Text } from "./layout.tsx";
import { Button } from "./Button.tsx";
import { handFocusOn } from "./lost-focus.ts";

export type MarkProps = {
  children: TextNode;
  /** The whole of it, where the words beside the thing are cut short. */
  title?: string | undefined;
  onRetry?: (() => void) | undefined;
  /** Trying again has to wait: the button can be reached and does nothing. */
  isResting?: boolean | undefined;
  /** The button's whole name, where 'Try again' alone does not say what. */
  retryLabel?: string | undefined;
};

/** A quiet word beside what went wrong, announced when its turn comes, with the way to try again beside it. */
export function Mark({ children, title, onRetry, isResting, retryLabel }: MarkProps) {
  const { t } = useLingui();
  const translate = useTranslateNode();
  return (
    <Row wraps gap={[1, 3]}>
      <Text as="span" size="sm" tone="warn" weight="firm" role="status" title={title}>
        {translate(children)}
      </Text>
      {onRetry && (
        <Button ref={handFocusOn} size="small" isResting={isResting} onClick={onRetry} aria-label={retryLabel}>
          {t`Try again`}
        </Button>
      )}
    </Row>
  );
}
