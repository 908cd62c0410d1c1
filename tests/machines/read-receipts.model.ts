import { createReadReceipts } from "../../src/machines/read-receipts/read-receipts.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failed, offline } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const readReceiptsMachine = createReadReceipts(fakePage());

const refused = Object.assign(new Error("refused"), { status: 422, body: { code: "invalid_input", message: "No." } });

export const readReceiptsModel: WalkedModel = {
  events: [
    ...done("readReceipts", true, false),
    ...failed("readReceipts"),
    ...done("saveReceipts", true),
    ...failed("saveReceipts", offline, refused),
  ],
  provide: overPending(readReceiptsMachine),
};
