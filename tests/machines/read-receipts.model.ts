import { createReadReceipts } from "../../src/machines/read-receipts/read-receipts.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failedWrites } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const readReceiptsMachine = createReadReceipts(fakePage());

export const readReceiptsModel: WalkedModel = {
  events: [...done("readReceipts", true, false), ...done("saveReceipts", true), ...failedWrites("saveReceipts")],
  provide: overPending(readReceiptsMachine),
};
