import type { AnyMachineSnapshot } from "xstate";
import { notificationsMachine } from "../../src/machines/notifications/index.ts";
import { type WalkedModel, overPending } from "../support/walk-suite.ts";

export const notificationsModel: WalkedModel = {
  provide: overPending(notificationsMachine, []),
  events: [
    { type: "toast.show", message: "Lead stage updated" },
    { type: "question.ask", question: { id: 1, kind: "confirm", message: "Are you sure?" } },
    { type: "question.ask", question: { id: 2, kind: "alert", message: "✅ Stages saved" } },
    { type: "question.answer", isConfirmed: true },
    { type: "question.answer", isConfirmed: false },
  ],
  project: ({ value, context }: AnyMachineSnapshot) => [value, Math.min(context.questions.length, 2)],
  delays: { toastDuration: 3_000 },
};
