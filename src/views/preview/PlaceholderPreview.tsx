import { createContext, use, useEffect, useState } from "react";
import { type Recipient, fillPlaceholders, hasPlaceholders } from "../../../domain/placeholders.ts";
import css from "./PlaceholderPreview.module.css";

/** Gives somebody to show a text with: one of the stage's leads, or of all; null where there is none. */
export type SampleLead = (stageId: string | null, signal: AbortSignal) => Promise<Recipient | null>;

const Sample = createContext<SampleLead | null>(null);
/** Gives the editors below it somebody real to preview with. */
export const SampleLeadProvider = Sample.Provider;

export type PlaceholderPreviewProps = { text: string; stageId?: string | null };

/** How a text with placeholders reads for somebody real; nothing for a text that reads the same for everyone. */
export function PlaceholderPreview({ text, stageId = null }: PlaceholderPreviewProps) {
  const read = use(Sample);
  const isNeeded = read !== null && hasPlaceholders(text);
  const [sample, setSample] = useState<{ stageId: string | null; person: Recipient | null } | null>(null);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const leaving = new AbortController();
    read(stageId || null, leaving.signal).then(
      (person) => {
        if (!leaving.signal.aborted) setSample({ stageId, person });
      },
      // Without an example the words below say what happens.
      () => {
        if (!leaving.signal.aborted) setSample({ stageId, person: null });
      },
    );
    return () => leaving.abort();
  }, [isNeeded, read, stageId]);
  if (!isNeeded || sample === null || sample.stageId !== stageId) return null;
  if (sample.person === null)
    return <p className={css["hint"]}>What stands in braces is filled in for each person when it is sent.</p>;
  return (
    <figure className={css["preview"]}>
      <figcaption className={css["hint"]}>
        <bdi>{sample.person.name?.trim() || sample.person.username || "Somebody without a name"}</bdi> would read:
      </figcaption>
      <p className={css["text"]} dir="auto">
        {fillPlaceholders(text, sample.person)}
      </p>
    </figure>
  );
}
