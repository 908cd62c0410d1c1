import { t } from "@lingui/core/macro";
import { createContext, use } from "react";
import type { FollowupResult } from "../../../domain/followup.ts";
import { numberText } from "../../language/format.ts";
import { LoadError } from "../../ui/LoadError.tsx";
import { Note } from "../../ui/layout.tsx";

/** Recent results of each follow-up; null if the server does not know the call. */
export type StepResults = {
  byId: ReadonlyMap<string, FollowupResult> | null;
  hasFailed: boolean;
  retry: () => void;
};

const Results = createContext<StepResults>({ byId: null, hasFailed: false, retry: () => {} });
export const StepResultsProvider = Results.Provider;

/** A step's results: sent, answered within a day, moved on. */
export function StepFigures({ id }: { id: string }) {
  const { byId } = use(Results);
  if (byId === null) return null;
  const { sent, answered_24h, moved_on } = byId.get(id) ?? { sent: 0, answered_24h: 0, moved_on: 0 };
  return (
    <Note size="xs" title={t`Of the last 90 days`}>
      {sent === 0
        ? t`Not sent in the last 90 days`
        : t`Sent ${{ sent: numberText(sent) }} · answered within a day ${{ answered24h: numberText(answered_24h) }} · moved on ${{ movedOn: numberText(moved_on) }}`}
    </Note>
  );
}

export function StepFiguresMark() {
  const { hasFailed, retry } = use(Results);
  return hasFailed && <LoadError what={t`what each step did`} onRetry={retry} />;
}
