import { createMachineContext } from "../kit/context.tsx";
import { readReceiptsMachine } from "./read-receipts.machine.ts";

const Receipts = createMachineContext(readReceiptsMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  flip: () => chart.send({ type: "receipts.switch" }),
}));

export const ReadReceiptsProvider = Receipts.Provider;
export const useReadReceipts = Receipts.use;
export const useCanReadReceipts = Receipts.useCan;
/** What a person can do about read receipts. */
export const useReadReceiptsEvents = Receipts.useVerbs;
