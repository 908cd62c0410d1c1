import { useEffect, useState } from "react";
import type { Verdict } from "../services/updates.ts";
import type { Loaded } from "./screen-loader.ts";
import type { Services } from "./services.ts";

/** Why code that is needed did not load, once that is known; null before, and when nothing has failed. */
export function useVerdict<Props>(state: Loaded<Props>, { updates }: Services): Verdict | null {
  const [judged, setJudged] = useState<{ state: Loaded<Props>; verdict: Verdict } | null>(null);
  useEffect(() => {
    if (state.status !== "failed") return undefined;
    let isCurrent = true;
    void updates.recover(state.error).then((verdict) => {
      if (isCurrent) setJudged({ state, verdict });
    });
    return () => {
      isCurrent = false;
    };
  }, [state, updates]);
  return judged?.state === state ? judged.verdict : null;
}
