import { createMachineContext } from "../kit/context.tsx";
import { type ExclusionsSnapshot, exclusionsMachine } from "./exclusions.machine.ts";

const Exclusions = createMachineContext(exclusionsMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  restore: (telegramUserId: string) => chart.send({ type: "person.restore", telegramUserId }),
}));

export const ExclusionsProvider = Exclusions.Provider;
export const useExclusions = Exclusions.use;
export const useCanExclusions = Exclusions.useCan;
/** What a person can do about who is not a lead. */
export const useExclusionsEvents = Exclusions.useVerbs;

export { selectProblemOf } from "../kit/failed.ts";
export { selectOutdated, selectUnread } from "../kit/reading.ts";
export const selectPeople = (chart: ExclusionsSnapshot) => chart.context.people;
export const selectActive = (chart: ExclusionsSnapshot) => chart.context.active;
export const selectIsLoading = (chart: ExclusionsSnapshot) => chart.matches({ list: "loading" });
