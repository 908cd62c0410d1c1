import type { CatalogItem } from "./catalog.actors.ts";
import type { CatalogSnapshot } from "./catalog.machine.ts";

export { selectOutdated, selectUnread } from "../kit/reading.ts";

/** The things of a catalog whose kind the caller knows. */
export const itemsAs =
  <Item extends CatalogItem>() =>
  (chart: CatalogSnapshot) =>
    chart.context.items as readonly Item[];
export const selectIsLoading = (chart: CatalogSnapshot) => chart.matches({ list: "loading" });
export const selectIsShown = (chart: CatalogSnapshot) => chart.matches({ list: "shown" });
export const selectIsEditing = (chart: CatalogSnapshot) =>
  (["editing", "saving", "awaitingTarget"] as const).some((work) => chart.matches({ work }));
export const selectIsSaving = (chart: CatalogSnapshot) => chart.matches({ work: "saving" });
export const selectIsAsking = (chart: CatalogSnapshot) => chart.matches({ work: "awaitingTarget" });
export const selectAsks = (chart: CatalogSnapshot) => chart.context.asks;
export const selectForm = (chart: CatalogSnapshot) => chart.context.form;
export const selectActive = (chart: CatalogSnapshot) => chart.context.active;
export const selectRefused = (chart: CatalogSnapshot) => chart.context.refused;
export const selectProblem = (chart: CatalogSnapshot) => chart.context.problem;
