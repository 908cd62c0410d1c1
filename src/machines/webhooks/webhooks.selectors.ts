import { isCopied } from "../kit/revealing.ts";
import type { WebhooksSnapshot } from "./webhooks.machine.ts";

export { selectOutdated, selectUnread } from "../kit/reading.ts";

export const selectWebhooks = (chart: WebhooksSnapshot) => chart.context.webhooks;
export const selectIsLoading = (chart: WebhooksSnapshot) => chart.matches({ list: "loading" });
export const selectIsShown = (chart: WebhooksSnapshot) => chart.matches({ list: "shown" });
export const selectIsEditing = (chart: WebhooksSnapshot) =>
  chart.matches({ work: "editing" }) || chart.matches({ work: "saving" });
export const selectIsSaving = (chart: WebhooksSnapshot) => chart.matches({ work: "saving" });
/** The one that is being enabled or disabled; null when none is. */
export const selectSwitched = (chart: WebhooksSnapshot) =>
  chart.matches({ work: "switching" }) ? (chart.context.active?.id ?? null) : null;
export const selectForm = (chart: WebhooksSnapshot) => chart.context.form;
export const selectActive = (chart: WebhooksSnapshot) => chart.context.active;
/** What signs the new webhook's deliveries, while it is shown; null otherwise. */
export const selectSecret = (chart: WebhooksSnapshot) => chart.context.secret;
export const selectCopied = (chart: WebhooksSnapshot) => chart.context.copied;
export const selectProblem = (chart: WebhooksSnapshot) => chart.context.problem;
export const selectRefused = (chart: WebhooksSnapshot) => chart.context.refused;
/** Whether nothing is lost with the chart: no secret is shown, or it is in the clipboard. */
export const selectIsKept = ({ context }: WebhooksSnapshot) => context.secret === null || isCopied(context);
