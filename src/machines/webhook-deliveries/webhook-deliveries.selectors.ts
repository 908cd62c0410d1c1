import type { WebhookDeliveriesSnapshot } from "./webhook-deliveries.machine.ts";

export { selectOutdated, selectUnread } from "../kit/reading.ts";

export const selectWebhook = (chart: WebhookDeliveriesSnapshot) => chart.context.webhook;
export const selectItems = (chart: WebhookDeliveriesSnapshot) => chart.context.items;
export const selectOpened = (chart: WebhookDeliveriesSnapshot) => chart.context.opened;
export const selectReplayed = (chart: WebhookDeliveriesSnapshot) => chart.context.active;
export const selectIsLoading = (chart: WebhookDeliveriesSnapshot) => chart.matches({ list: "loading" });
/** There is no such webhook any more. */
export const selectIsGone = (chart: WebhookDeliveriesSnapshot) =>
  chart.matches({ list: "shown" }) && chart.context.webhook === null;
export const selectIsTesting = (chart: WebhookDeliveriesSnapshot) => chart.matches({ work: "testing" });
export const selectIsEnabling = (chart: WebhookDeliveriesSnapshot) => chart.matches({ work: "enabling" });
export const selectHasOlder = (chart: WebhookDeliveriesSnapshot) => chart.context.next !== null;
export const selectOlder = (chart: WebhookDeliveriesSnapshot) => chart.value.older;
