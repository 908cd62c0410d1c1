import { fromPromise } from "xstate";
import type { LedgerItem } from "../../../domain/ledger.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { FailureText } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

/** What dry runs held back, newest first; `hasMore` when that is not all of it. */
export type HeldBack = { items: LedgerItem[]; hasMore: boolean };

export type DryRunGateway = {
  /** Whether it is on; null where the server knows no dry run. */
  read(signal: AbortSignal): Promise<boolean | null>;
  /** Resolves to whether it is on from now on. */
  save(input: { isOn: boolean }): Promise<boolean>;
  /** What would have gone out since a moment (ISO); null for as long as is known. */
  listHeldBack(input: { since: string | null }, signal: AbortSignal): Promise<HeldBack>;
};

export type DryRunDeps = WritingDeps & {
  dryRun: DryRunGateway;
  /** Since when it has been on, as this browser remembers it. */
  memory: { read(): string | null; write(since: string): void; clear(): void };
  /** The moment, as ISO text. */
  now: () => string;
  /** Tells when the page comes back: another screen may have switched it. */
  onReturn: (listener: () => void) => () => void;
};

export const SWITCH_FAILED: FailureText = {
  refused: "It was not switched. Try again.",
  unknown: "It may have been switched.",
};

export const placeholderActors = {
  readDryRun: notProvided<boolean | null, void>("readDryRun"),
  startDryRun: notProvided<boolean, void>("startDryRun"),
  endDryRun: notProvided<boolean, void>("endDryRun"),
  listHeldBack: notProvided<HeldBack & { since: string | null }, void>("listHeldBack"),
  watchReturns: unwatched,
};

export function createDryRunActors(deps: DryRunDeps): typeof placeholderActors {
  const { dryRun, memory, now, onReturn } = deps;
  return {
    readDryRun: fromPromise(async ({ signal }) => {
      const isOn = await dryRun.read(signal);
      if (isOn === false) memory.clear();
      return isOn;
    }),
    startDryRun: writing<boolean, void>(
      deps,
      async () => {
        const since = now();
        const isOn = await dryRun.save({ isOn: true });
        memory.write(since);
        return isOn;
      },
      { done: "Dry run is on.", failed: { refused: "Dry run was not switched on.", unknown: "Dry run may be on." } },
    ),
    endDryRun: writing<boolean, void>(
      deps,
      async () => {
        const isOn = await dryRun.save({ isOn: false });
        memory.clear();
        return isOn;
      },
      {
        done: "Dry run is over.",
        failed: { refused: "Dry run was not switched off.", unknown: "Dry run may be over." },
      },
    ),
    listHeldBack: fromPromise(async ({ signal }) => {
      const since = memory.read();
      return { since, ...(await dryRun.listHeldBack({ since }, signal)) };
    }),
    watchReturns: watchingReturns(onReturn),
  };
}
