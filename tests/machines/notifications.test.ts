import { describe, expect, it } from "vitest";
import { SimulatedClock, createActor } from "xstate";
import { confirming } from "../../src/machines/kit/speaking.ts";
import {
  createNotifier,
  notificationsMachine,
  selectIsSpeaking,
  selectOffer,
  selectOfferMessage,
  selectQuestion,
  selectToast,
  selectWarning,
} from "../../src/machines/notifications/index.ts";
import type { Invariants } from "../support/invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { notificationsModel } from "./notifications.model.ts";

const invariants: Invariants<typeof notificationsMachine> = {
  "*": {
    accepts: ["toast.show", "offer.show", "warning.show", "question.ask", "question.withdraw"],
    holds: ({ cause, event, before, effects }) => {
      const [question] = before.questions;
      const canAnswer = cause === "question.answer" && question && (event.isConfirmed || question.kind === "confirm");
      expect(effects).toEqual({
        ...(canAnswer && { deliverAnswer: { id: question.id, isConfirmed: event.isConfirmed } }),
        ...(cause === "offer.accept" && before.offer && { takeOffer: { id: before.offer.id } }),
      });
    },
  },
  "toast.hidden": {
    after: ["start", "toast.dismiss", "after toastDuration", "offer.accept", "offer.dismiss"],
    holds: ({ context }) => expect(context.toast).toEqual(null),
  },
  "toast.visible": {
    accepts: ({ toast, offer }) => (toast === offer?.headline ? [] : ["toast.dismiss"]),
    holds: ({ context }) => expect(["Settings saved.", "Lead stage updated"]).toContain(context.toast),
  },
  "toast.visible.running": { after: ["toast.show", "offer.show", "offer.release", "after offerLife"] },
  "toast.visible.held": { after: ["offer.hold"] },
  "offer.hidden": {
    after: ["start", "offer.dismiss", "offer.accept", "after offerDuration", "after offerLife"],
    holds: ({ context }) => expect(context.offer).toEqual(null),
  },
  "offer.open": {
    accepts: ["offer.accept", "offer.dismiss"],
    holds: ({ context }) => expect(["Reminder deleted", "The lead was moved."]).toContain(context.offer?.message),
  },
  "offer.open.running": { after: ["offer.show", "offer.release"], accepts: ["offer.hold"] },
  "offer.open.held": { after: ["offer.hold"], accepts: ["offer.release"] },
  "warning.hidden": {
    after: ["start", "warning.dismiss", "after warningDuration"],
    holds: ({ context }) => expect(context.warning).toEqual(null),
  },
  "warning.visible": {
    after: ["warning.show"],
    accepts: ["warning.dismiss"],
    holds: ({ context }) => expect(context.warning).toEqual("The settings were not saved."),
  },
  question: {
    after: {
      start: null,
      "question.ask": ({ event, before, context }) =>
        expect(context.questions).toEqual([...before.questions, event.question]),
      "question.withdraw": ({ event, before, context }) =>
        expect(context.questions).toEqual(before.questions.filter(({ id }) => id !== event.id)),
      "question.answer": ({ before, context }) => expect(context.questions).toEqual(before.questions.slice(1)),
    },
  },
  "question.absent": {
    after: ["start", "question.answer", "question.withdraw"],
    holds: ({ context }) => expect(context.questions).toEqual([]),
  },
  "question.awaitingAnswer": {
    after: ["question.ask", "question.answer", "question.withdraw"],
    accepts: ["question.answer"],
    holds: ({ context }) => expect(context.questions).not.toEqual([]),
  },
};

walkEveryPath(notificationsMachine, notificationsModel, invariants);

describe("the notifier", () => {
  it("shows a toast for 3 seconds, and a newer one for 3 seconds of its own", () => {
    const clock = new SimulatedClock();
    const { notifier, notifications } = createNotifier({ clock });
    const toast = () => selectToast(notifications.getSnapshot());
    notifier.toast("Lead stage updated");
    clock.increment(2_000);
    notifier.toast("Settings saved.");
    clock.increment(2_999);
    expect(toast()).toEqual("Settings saved.");
    clock.increment(1);
    expect(toast()).toEqual(null);
  });

  it("offers a step back for 10 seconds, through plain toasts, and takes it at most once", () => {
    const clock = new SimulatedClock();
    const { notifier, notifications } = createNotifier({ clock });
    const taken: string[] = [];
    const undo = (what: string) => ({ undo: { label: "Undo", onPress: () => void taken.push(what) } });
    const offer = () => selectOffer(notifications.getSnapshot())?.message ?? null;
    notifier.toast("Reminder deleted", undo("reminder"));
    notifier.toast("Settings saved.");
    clock.increment(9_999);
    expect(offer()).toEqual("Reminder deleted");
    notifications.send({ type: "offer.accept" });
    notifications.send({ type: "offer.accept" });
    expect([offer(), taken]).toEqual([null, ["reminder"]]);
    notifier.toast("Follow-up deleted", { ...undo("follow-up"), durationMs: 20_000 });
    notifier.toast("Stage deleted", undo("stage"));
    clock.increment(10_000);
    notifications.send({ type: "offer.accept" });
    expect([offer(), taken]).toEqual([null, ["reminder"]]);
  });

  it("shows one toast for a move: the news for 3 seconds, then the offer alone", () => {
    const clock = new SimulatedClock();
    const { notifier, notifications } = createNotifier({ clock });
    const shown = () => [selectToast(notifications.getSnapshot()), selectOfferMessage(notifications.getSnapshot())];
    const move = () =>
      notifier.toast("Lead stage updated", {
        undo: { label: "Undo", onPress: () => {} },
        afterwards: "The lead was moved.",
      });
    move();
    expect(shown()).toEqual(["Lead stage updated", null]);
    clock.increment(3_000);
    expect(shown()).toEqual([null, "The lead was moved."]);
    clock.increment(7_000);
    expect(shown()).toEqual([null, null]);
    move();
    notifications.send({ type: "offer.accept" });
    expect(shown()).toEqual([null, null]);
    move();
    notifications.send({ type: "offer.hold" });
    clock.increment(10_000);
    expect(shown()).toEqual(["Lead stage updated", null]);
    notifier.toast("Settings saved.");
    expect(shown()).toEqual(["Settings saved.", "The lead was moved."]);
    clock.increment(3_000);
    expect(shown()).toEqual([null, "The lead was moved."]);
  });

  it("ends an offer when the server no longer takes the undo, even while the person is at it", () => {
    const clock = new SimulatedClock();
    const { notifier, notifications } = createNotifier({ clock });
    const offer = () => selectOffer(notifications.getSnapshot())?.message ?? null;
    const undo = { label: "Undo", onPress: () => {} };
    notifier.toast("Lead stage updated", { undo, afterwards: "The lead was moved." });
    notifications.send({ type: "offer.hold" });
    clock.increment(29_999);
    expect(offer()).toEqual("The lead was moved.");
    clock.increment(1);
    expect([offer(), selectToast(notifications.getSnapshot())]).toEqual([null, "Lead stage updated"]);
    clock.increment(3_000);
    expect(selectToast(notifications.getSnapshot())).toEqual(null);
    notifier.toast("2 leads held.", { undo, durationMs: 12_000 });
    notifications.send({ type: "offer.hold" });
    clock.increment(12_000);
    expect(offer()).toEqual(null);
  });

  it("stops an offer's time while the person is at it", () => {
    const clock = new SimulatedClock();
    const { notifier, notifications } = createNotifier({ clock });
    notifier.toast("Reminder deleted", { undo: { label: "Undo", onPress: () => {} } });
    notifications.send({ type: "offer.hold" });
    clock.increment(19_000);
    expect(selectOffer(notifications.getSnapshot())?.label).toEqual("Undo");
    notifications.send({ type: "offer.release" });
    clock.increment(10_000);
    expect(selectOffer(notifications.getSnapshot())).toEqual(null);
  });

  it("is speaking while any message, offer, warning or question is shown", () => {
    const clock = new SimulatedClock();
    const { notifier, notifications } = createNotifier({ clock });
    const isSpeaking = () => selectIsSpeaking(notifications.getSnapshot());
    const steps = [
      () => notifier.toast("Settings saved."),
      () => notifier.toast("Reminder deleted", { undo: { label: "Undo", onPress: () => {} } }),
      () => notifier.warn("The settings were not saved."),
      () => void notifier.alert("✅ Stages saved"),
    ];
    for (const speak of steps) {
      expect(isSpeaking()).toEqual(false);
      speak();
      expect(isSpeaking()).toEqual(true);
      clock.increment(10_000);
    }
    notifications.send({ type: "question.answer", isConfirmed: true });
    expect(isSpeaking()).toEqual(false);
  });

  it("tells bad news for 10 seconds", () => {
    const clock = new SimulatedClock();
    const { notifier, notifications } = createNotifier({ clock });
    notifier.warn("The settings were not saved.");
    clock.increment(9_999);
    expect(selectWarning(notifications.getSnapshot())).toEqual("The settings were not saved.");
    clock.increment(1);
    expect(selectWarning(notifications.getSnapshot())).toEqual(null);
  });

  it("withdraws the question of a chart that stops, whether it is shown or waits in line", async () => {
    const { notifier, notifications } = createNotifier();
    const question = () => selectQuestion(notifications.getSnapshot())?.message ?? null;
    const ask = (message: string) => createActor(confirming(notifier), { input: { message } }).start();
    const [first, second] = [ask("Delete the first?"), ask("Delete the second?")];
    const third = notifier.alert("✅ Stages saved");
    second.stop();
    expect(question()).toEqual("Delete the first?");
    first.stop();
    expect(question()).toEqual("✅ Stages saved");
    notifications.send({ type: "question.answer", isConfirmed: true });
    expect([await third, question()]).toEqual([undefined, null]);
    const gone = new AbortController();
    gone.abort();
    expect(await notifier.confirm("Too late?", { signal: gone.signal })).toEqual(false);
    expect(question()).toEqual(null);
  });

  it("asks one question at a time and tells each asker the answer", async () => {
    const { notifier, notifications } = createNotifier();
    const question = () => selectQuestion(notifications.getSnapshot())?.message ?? null;
    const first = notifier.confirm("Are you sure you want to delete this stage?");
    const second = notifier.confirm("Send to all leads?");
    const third = notifier.alert("✅ Stages saved");
    expect(question()).toEqual("Are you sure you want to delete this stage?");
    notifications.send({ type: "question.answer", isConfirmed: false });
    expect(question()).toEqual("Send to all leads?");
    notifications.send({ type: "question.answer", isConfirmed: true });
    notifications.send({ type: "question.answer", isConfirmed: true });
    expect(await Promise.all([first, second, third])).toEqual([false, true, undefined]);
    expect(question()).toEqual(null);
  });
});
