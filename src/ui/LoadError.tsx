import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { use, type ReactNode, createContext } from "react";
import { type UiTextOrString, translate } from "#language";
import { type Look, Text } from "./layout.tsx";
import { Mark } from "./Mark.tsx";

/** Whether the browser is offline. One notice says so, and error marks are left out. */
export const OfflineContext = createContext(false);

export type LoadErrorProps = {
  /** What is missing, as in the middle of a sentence: `the stages`. Several are joined. */
  what: UiTextOrString | readonly UiTextOrString[];
  /** The data shown is stale: the mark says so. */
  isOutdated?: boolean;
  /** For narrow places: the mark reads 'not read' or 'from before', and its button names what. */
  isShort?: boolean;
  /** Retry is not possible yet. */
  isAriaDisabled?: boolean;
  onRetry: () => void;
};

/** A mark beside what could not be loaded; offline, the page's notice replaces it. */
export function LoadError({
  what: missing,
  isOutdated = false,
  isShort = false,
  isAriaDisabled,
  onRetry,
}: LoadErrorProps) {
  if (use(OfflineContext)) return null;
  const what = [missing]
    .flat()
    .map((one) => translate(one))
    .toSorted()
    .reduce((names, last, place, all) =>
      place < all.length - 1
        ? t({ message: `${names}, ${last}`, comment: "A list of what could not be read." })
        : t({ message: `${names} and ${last}`, comment: "A list of what could not be read." }),
    );
  const sentence = isOutdated
    ? t({
        message: `${what} could not be read again. What you see is from before.`,
        comment: "Its first letter is made a capital.",
      })
    : t({ message: `${what} could not be read.`, comment: "Its first letter is made a capital." });
  const title = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  if (!isShort)
    return (
      <Mark isAriaDisabled={isAriaDisabled} onRetry={onRetry}>
        {title}
      </Mark>
    );
  return (
    <Mark title={title} isAriaDisabled={isAriaDisabled} onRetry={onRetry} retryLabel={t`Try again: ${what}`}>
      {isOutdated ? t`from before` : t`not read`}
    </Mark>
  );
}

/** Replaces a figure that could not be loaded; offline, the page's notice replaces its mark. */
export const MissingFigure = ({ children, ...look }: Look & { className?: string | undefined; children?: ReactNode }) =>
  use(OfflineContext) ? null : <Text {...look}>{children ?? <Trans>not read</Trans>}</Text>;
