import { createReadReceipts } from "../../src/machines/read-receipts/read-receipts.machine.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const readReceiptsMachine = createReadReceipts(fakePage());

const offline = new Error("offline");
const refused = Object.assign(new Error("refused"), { status: 422, body: { code: "invalid_input", message: "No." } });

export const readReceiptsModel: WalkedModel = {
  events: [
    { type: "xstate.done.actor.readReceipts", output: true },
    { type: "xstate.done.actor.readReceipts", output: false },
    { type: "xstate.error.actor.readReceipts", error: offline },
    { type: "xstate.done.actor.saveReceipts", output: true },
    { type: "xstate.error.actor.saveReceipts", error: offline },
    { type: "xstate.error.actor.saveReceipts", error: refused },
  ],
  provide: overPending(readReceiptsMachine),
};
