import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type BulkTarget, EVERY_STAGE, bulkTargetKey } from "../../../domain/bulk-target.ts";
import { createContext, use, useEffect, useState } from "react";
import {
  PLACEHOLDERS,
  type Recipient,
  fillPlaceholders,
  hasPlaceholders,
  placeholdersIn,
  unknownBraces,
} from "../../../domain/placeholders.ts";
import { namesText } from "../../language/format.ts";
import { Note, Stack, Text } from "../../ui/layout.tsx";
import css from "./PlaceholderPreview.module.css";

/** Returns a lead for the preview: one of the target's, or of all; null if there is none. */
export type SampleLead = (target: BulkTarget, signal: AbortSignal) => Promise<Recipient | null>;

const Sample = createContext<SampleLead | null>(null);
/** Provides the editors inside with a lead for previews. */
export const SampleLeadProvider = Sample.Provider;

const KNOWN = PLACEHOLDERS.map((name) => `{${name}}`).join(" ");
/** The hint about available placeholders. */
export const placeholdersHint = () =>
  t`${{ names: KNOWN }} are filled in; ${{ example: "{first_name|friend}" }} says ‘friend’ where there is none.`;
const NAMED_MOST = 5;

/** Previews a text's placeholders: lists unknown ones, and shows the others filled in for a lead. */
export function PlaceholderPreview({ text, target = EVERY_STAGE }: { text: string; target?: BulkTarget }) {
  return (
    <>
      <UnknownBraces braces={unknownBraces(text)} known={KNOWN} />
      <Example key={bulkTargetKey(target)} text={text} target={target} />
    </>
  );
}

export function UnknownBraces({ braces, known }: { braces: readonly string[]; known: string }) {
  if (braces.length === 0) return null;
  const names = namesText(braces.slice(0, NAMED_MOST));
  const more = braces.length - NAMED_MOST;
  return (
    <Text size="sm" tone="warn" role="status">
      {more > 0 ? (
        <Trans>
          <bdi>{names}</bdi> and {more} more are not known and go out as written.
        </Trans>
      ) : braces.length === 1 ? (
        <Trans>
          <bdi>{names}</bdi> is not known and goes out as written.
        </Trans>
      ) : (
        <Trans>
          <bdi>{names}</bdi> are not known and go out as written.
        </Trans>
      )}{" "}
      {t`Known: ${known}`}
    </Text>
  );
}

/** Shows a text filled in for a lead; nothing if it has no placeholders. */
function Example({ text, target: given }: { text: string; target: BulkTarget }) {
  const read = use(Sample);
  const isNeeded = read !== null && hasPlaceholders(text);
  // The key fixes it for the life of this example; callers may pass a new object each time.
  const [target] = useState(given);
  const [sample, setSample] = useState<{ person: Recipient | null } | null>(null);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const leaving = new AbortController();
    read(target, leaving.signal).then(
      (person) => {
        if (!leaving.signal.aborted) setSample({ person });
      },
      // Without an example the hint below explains it.
      () => {
        if (!leaving.signal.aborted) setSample({ person: null });
      },
    );
    return () => leaving.abort();
  }, [isNeeded, read, target]);
  if (!isNeeded || sample === null) return null;
  if (sample.person === null) {
    const filled = placeholdersIn(text);
    return (
      <Note size="xs">
        {filled.length === 1
          ? t`${{ name: namesText(filled) }} is filled in for each person when it is sent.`
          : t`${{ names: namesText(filled) }} are filled in for each person when it is sent.`}
      </Note>
    );
  }
  const name = sample.person.name?.trim() || sample.person.username || t`Someone without a name`;
  return (
    <Stack as="figure" gap={1} pad={[2, 3]} surface="callout">
      <Note as="figcaption" size="xs">
        <Trans>
          <bdi>{name}</bdi> would read:
        </Trans>
      </Note>
      <Text clamp={30} size="sm" className={css["text"]} dir="auto">
        {fillPlaceholders(text, sample.person)}
      </Text>
    </Stack>
  );
}
