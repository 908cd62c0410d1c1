import { createReporter } from "../kit/reporting.ts";
import { type ReadReceiptsDeps, createReadReceiptsActors } from "./read-receipts.actors.ts";
import { type ReadReceiptsSnapshot, readReceiptsMachine } from "./read-receipts.machine.ts";

/** Read receipts over a gateway. */
export const createReadReceipts = (deps: ReadReceiptsDeps) =>
  readReceiptsMachine.provide({
    actors: createReadReceiptsActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export const selectReceipts = (chart: ReadReceiptsSnapshot) => chart.context;
export const selectIsLoading = (chart: ReadReceiptsSnapshot) => chart.matches("loading");
/** What the switch shows: while a change is being saved, that change. */
export const selectIsOn = (chart: ReadReceiptsSnapshot) => chart.context.isOn !== chart.matches("saving");
export { selectUnread } from "../kit/reading.ts";
export type { ReadReceiptsDeps } from "./read-receipts.actors.ts";
export {
  ReadReceiptsProvider,
  useCanReadReceipts,
  useReadReceipts,
  useReadReceiptsEvents,
} from "./read-receipts.context.tsx";
export { readReceiptsMachine } from "./read-receipts.machine.ts";
