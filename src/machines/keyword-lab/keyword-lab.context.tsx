import type { StageDraft } from "../../../domain/stage.ts";
import { createMachineContext } from "../kit/context.tsx";
import { keywordLabMachine } from "./keyword-lab.machine.ts";

const KeywordLab = createMachineContext(keywordLabMachine, (lab) => ({
  tellWords: (words: readonly StageDraft[]) => lab.send({ type: "words.edited", words }),
  tryWords: () => lab.send({ type: "lab.try" }),
  close: () => lab.send({ type: "lab.close" }),
}));

export const KeywordLabProvider = KeywordLab.Provider;
export const useKeywordLab = KeywordLab.use;
export const useCanKeywordLab = KeywordLab.useCan;
/** What a person can do in the keyword lab. */
export const useKeywordLabEvents = KeywordLab.useVerbs;
