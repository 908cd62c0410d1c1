import { fromPromise } from "xstate";
import type { KeywordPreview } from "../../../domain/keyword-lab.ts";
import type { StageDraft } from "../../../domain/stage.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";
import { readFailure } from "../kit/failed.ts";

export type KeywordLabGateway = {
  /** What the words would have done; null where the server does not know the call. */
  preview(input: { stages: readonly StageDraft[] }, signal: AbortSignal): Promise<KeywordPreview | null>;
};

export type KeywordLabDeps = { stages: KeywordLabGateway; logger: Logger };

export const NOT_TRIED = readFailure("The words could not be tried.");

export const placeholderActors = {
  tryWords: notProvided<KeywordPreview | null, { stages: readonly StageDraft[] }>("tryWords"),
};

export const createKeywordLabActors = ({ stages }: KeywordLabDeps): typeof placeholderActors => ({
  tryWords: fromPromise(({ input, signal }) => stages.preview(input, signal)),
});
