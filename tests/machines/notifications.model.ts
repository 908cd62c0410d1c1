import type { AnyMachineSnapshot } from "xstate";
import { notificationsMachine } from "../../src/machines/notifications/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const notificationsModel: WalkedModel = {
  provide: overPending(notificationsMachine),
  events: [
    { type: "toast.show", message: "Lead stage updated" },
    { type: "offer.show", offer: { id: 3, message: "Reminder deleted", label: "Undo", durationMs: 9_000 } },
    { type: "warning.show", message: "The settings were not saved." },
    { type: "question.withdraw", id: 1 },
    { type: "question.withdraw", id: 2 },
    { type: "question.ask", question: { id: 1, kind: "confirm", message: "Are you sure?" } },
    { type: "question.ask", question: { id: 2, kind: "alert", message: "✅ Stages saved" } },
    { type: "question.answer", isConfirmed: true },
    { type: "question.answer", isConfirmed: false },
  ],
  project: ({ value, context }: AnyMachineSnapshot) => [value, Math.min(context.questions.length, 2)],
  // For the walk through the screen offers and warnings stay by themselves; the chart is walked in pairs too.
  allow: ({ value }, { type }) => {
    const region = /^(?:xstate\.after\.)?(toast|offer|warning|question)/.exec(type)?.[1] ?? "";
    const others = Object.entries(value).filter(([name]) => name !== region);
    const isAtRest = (state: unknown) => state === "hidden" || state === "absent";
    return others.every(
      ([name, state]) =>
        isAtRest(state) || (["toast", "question"].includes(region) && ["toast", "question"].includes(name)),
    );
  },
  delays: { toastDuration: 3_000, offerDuration: 9_000, warningDuration: 10_000 },
};
