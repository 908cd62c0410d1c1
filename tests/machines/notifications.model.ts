import type { AnyMachineSnapshot } from "xstate";
import { createNotifications } from "../../src/machines/notifications/notifications.machine.ts";
import { modelOf } from "../support/model.ts";

const PAIRS = ["toast+offer", "offer+toast", "toast+question", "question+toast"];
const offer = { label: "Undo", durationMs: 9_000, lifeMs: 30_000 };

const notificationsMachine = createNotifications({ deliverAnswer: () => {}, takeOffer: () => {} });

export const notificationsModel = modelOf(notificationsMachine, {
  events: [
    { type: "toast.show", message: "Settings saved." },
    { type: "offer.show", offer: { ...offer, id: 3, message: "Reminder deleted", headline: null } },
    { type: "offer.show", offer: { ...offer, id: 4, message: "The lead was moved.", headline: "Lead stage updated" } },
    { type: "warning.show", message: "The settings were not saved." },
    { type: "question.withdraw", id: 1 },
    { type: "question.withdraw", id: 2 },
    { type: "question.ask", question: { id: 1, kind: "confirm", message: "Are you sure?" } },
    { type: "question.ask", question: { id: 2, kind: "alert", message: "✅ Stages saved" } },
    { type: "question.answer", isConfirmed: true },
    { type: "question.answer", isConfirmed: false },
  ],
  project: ({ value, context }: AnyMachineSnapshot) => [value, Math.min(context.questions.length, 2)],
  // A toast is walked together with an offer, whose headline it may be, and with a question. Everything else is walked alone.
  allow: ({ value }, { type }) => {
    const region = /^(?:xstate\.after\.)?(toast|offer|warning|question)/.exec(type)?.[1] ?? "";
    const others = Object.entries(value).filter(([name]) => name !== region);
    const isAtRest = (state: unknown) => state === "hidden" || state === "absent";
    return others.every(([name, state]) => isAtRest(state) || PAIRS.includes(`${region}+${name}`));
  },
  delays: { toastDuration: 3_000, offerDuration: 9_000, offerLife: 30_000, warningDuration: 10_000 },
});
