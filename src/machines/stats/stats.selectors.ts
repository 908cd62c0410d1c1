import type { StatsSnapshot } from "./stats.machine.ts";

export const selectPeriod = (stats: StatsSnapshot) => stats.context.period;
export const selectStages = (stats: StatsSnapshot) => stats.context.stages;
export const selectFigures = (stats: StatsSnapshot) => stats.context.figures;
export const selectConversionStageId = (stats: StatsSnapshot) => stats.context.conversionStageId;
export const selectConversion = (stats: StatsSnapshot) => stats.context.conversion;
export const selectIsLoading = (stats: StatsSnapshot) => stats.matches({ figures: "loading" });
export const selectIsConversionLoading = (stats: StatsSnapshot) => stats.matches({ conversion: "loading" });
export const selectIsAwaitingDates = (stats: StatsSnapshot) => stats.matches({ figures: "awaitingDates" });
/** Stage names and colours are still on their way: charts by stage wait for them. */
export const selectAreStagesLoading = (stats: StatsSnapshot) => stats.matches({ stages: "loading" });
/** The stages could not be read: nothing can be said by stage. */
export const selectAreStagesUnread = (stats: StatsSnapshot) => stats.matches({ stages: "unread" });
/** What is null of the figures could not be read; it does not mean that there is none. */
export const selectIsIncomplete = (stats: StatsSnapshot) => stats.matches({ figures: "incomplete" });
/** Why the server refuses the period, in its own words; null for any other failure. */
export const selectRefusal = (stats: StatsSnapshot) => stats.context.refusal;
export const selectIsConversionUnread = (stats: StatsSnapshot) => stats.matches({ conversion: "failed" });
