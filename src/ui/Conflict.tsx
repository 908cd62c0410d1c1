import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Banner } from "./Banner.tsx";
import { Button } from "./Button.tsx";

type ConflictProps = {
  /** The saved version, or that it was deleted. */
  children: ReactNode;
  /** The second button's label if there is no saved version to use. */
  savedLabel?: string;
  isDisabled?: boolean;
  onKeepMine: () => void;
  onUseSaved: () => void;
};

/** Asks which version to keep after a conflicting change. */
export function Conflict({ children, savedLabel, isDisabled, onKeepMine, onUseSaved }: ConflictProps) {
  return (
    <Banner
      tone="warn"
      actions={
        <>
          <Button size="small" disabled={isDisabled} onClick={onKeepMine}>
            {t`Keep mine`}
          </Button>
          <Button size="small" disabled={isDisabled} onClick={onUseSaved}>
            {savedLabel ?? t`Use saved version`}
          </Button>
        </>
      }
    >
      {children}
    </Banner>
  );
}
