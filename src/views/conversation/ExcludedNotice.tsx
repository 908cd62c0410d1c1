import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { UserX } from "lucide-react";
import { Link } from "wouter";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { VisuallyHidden } from "../../ui/layout.tsx";

type ExcludedNoticeProps = {
  name: string | null;
  /** Restores the lead; null when that is no longer possible. */
  onUndo: (() => void) | null;
};

/** Replaces the conversation of an excluded lead. */
export default function ExcludedNotice({ name, onUndo }: ExcludedNoticeProps) {
  const title = name === null ? t`This person is not a lead any more` : t`${name} is not a lead any more`;
  return (
    <>
      <VisuallyHidden role="status">{title}</VisuallyHidden>
      <EmptyState
        icon={<UserX />}
        title={title}
        actions={
          onUndo && (
            <Button variant="primary" onClick={onUndo}>
              {t`Undo`}
            </Button>
          )
        }
      >
        {onUndo === null ? (
          <Trans>
            What was stored is erased. If you restore the person under <Link href="/settings#people">Settings</Link>,
            they start from scratch.
          </Trans>
        ) : (
          t`Nothing they write is stored from now on, and what was stored is erased when half a minute is over.`
        )}
      </EmptyState>
    </>
  );
}
