import { useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Banner } from "./Banner.tsx";
import { Button } from "./Button.tsx";

type ConflictProps = {
  /** What the saved version says, or that there is none any more. */
  children: ReactNode;
  /** Names the second button where there is no saved version to use. */
  savedLabel?: string;
  isDisabled?: boolean;
  onKeepMine: () => void;
  onUseSaved: () => void;
};

/** Asks which version to keep of something that was changed here and elsewhere. */
export function Conflict({ children, savedLabel, isDisabled, onKeepMine, onUseSaved }: ConflictProps) {
  const { t } = useLingui();
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
