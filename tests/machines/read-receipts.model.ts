import { createReadReceipts } from "../../src/machines/read-receipts/read-receipts.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";

export const readReceiptsModel = modelOf(createReadReceipts(fakePage()), {
  events: [...done("readReceipts", true, false), ...done("saveReceipts", true), ...failedWrites("saveReceipts")],
});
