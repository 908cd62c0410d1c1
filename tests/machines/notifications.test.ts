import { describe, expect, it } from "vitest";
import { SimulatedClock, createActor } from "xstate";
import { confirming } from "../../src/machines/kit/confirming.ts";
import {
  selectIsSpeaking,
  selectOfferMessage,
  selectQuestion,
} from "../../src/machines/notifications/notifications.machine.ts";
import { createNotifier } from "../../src/machines/notifications/notifier.ts";
import { walkEveryPath } from "../support/invariants.ts";
import { notificationsModel } from "./notifications.model.ts";

walkEveryPath(notificationsModel, {
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
});

const undo = { label: "Undo", onPress: () => {} };

/** Starts a notifier with its own clock, and returns what it shows. */
function startNotifier() {
  const clock = new SimulatedClock();
  const { notifier, notifications } = createNotifier({ clock });
  const now = () => notifications.getSnapshot();
  return {
    clock,
    notifier,
    notifications,
    toast: () => now().context.toast,
    offer: () => now().context.offer?.message ?? null,
    /** The plain toast and the message of the offer. */
    toasts: () => [now().context.toast, selectOfferMessage(now())],
    question: () => selectQuestion(now())?.message ?? null,
    isSpeaking: () => selectIsSpeaking(now()),
  };
}

describe("the notifier", () => {
  it("shows a toast for 3 seconds, and a newer one for its own 3 seconds", () => {
    const { clock, notifier, toast } = startNotifier();
    notifier.toast("Lead stage updated");
    clock.increment(2_000);
    notifier.toast("Settings saved.");
    clock.increment(2_999);
    expect(toast()).toEqual("Settings saved.");
    clock.increment(1);
    expect(toast()).toEqual(null);
  });

  it("offers Undo for 10 seconds, despite other toasts, and runs it at most once", () => {
    const { clock, notifier, notifications, offer } = startNotifier();
    const taken: string[] = [];
    const undoOf = (what: string) => ({ undo: { label: "Undo", onPress: () => void taken.push(what) } });
    notifier.toast("Reminder deleted", undoOf("reminder"));
    notifier.toast("Settings saved.");
    clock.increment(9_999);
    expect(offer()).toEqual("Reminder deleted");
    notifications.send({ type: "offer.accept" });
    notifications.send({ type: "offer.accept" });
    expect([offer(), taken]).toEqual([null, ["reminder"]]);
    notifier.toast("Follow-up deleted", { ...undoOf("follow-up"), durationMs: 20_000 });
    notifier.toast("Stage deleted", undoOf("stage"));
    clock.increment(10_000);
    notifications.send({ type: "offer.accept" });
    expect([offer(), taken]).toEqual([null, ["reminder"]]);
  });

  it("shows one toast for a move: the message for 3 seconds, then only Undo", () => {
    const { clock, notifier, notifications, toasts } = startNotifier();
    const move = () => notifier.toast("Lead stage updated", { undo, afterwards: "The lead was moved." });
    move();
    expect(toasts()).toEqual(["Lead stage updated", null]);
    clock.increment(3_000);
    expect(toasts()).toEqual([null, "The lead was moved."]);
    clock.increment(7_000);
    expect(toasts()).toEqual([null, null]);
    move();
    notifications.send({ type: "offer.hold" });
    clock.increment(10_000);
    expect(toasts()).toEqual(["Lead stage updated", null]);
    notifier.toast("Settings saved.");
    expect(toasts()).toEqual(["Settings saved.", "The lead was moved."]);
  });

  it.each([
    { what: "while it is hovered, but no longer than the server allows the undo", held: 29_999, left: 1 },
    { what: "for 10 seconds more after hovering", held: 19_000, isReleased: true, left: 10_000 },
    { what: "for the given duration", durationMs: 12_000, held: 11_999, left: 1 },
  ])("keeps an offer $what", ({ durationMs, held, isReleased = false, left }) => {
    const { clock, notifier, notifications, offer } = startNotifier();
    notifier.toast("Reminder deleted", durationMs === undefined ? { undo } : { undo, durationMs });
    notifications.send({ type: "offer.hold" });
    clock.increment(held);
    if (isReleased) notifications.send({ type: "offer.release" });
    clock.increment(left - 1);
    expect(offer()).toEqual("Reminder deleted");
    clock.increment(1);
    expect(offer()).toEqual(null);
  });

  it("is speaking while any message, offer, warning or question is shown", () => {
    const { clock, notifier, notifications, isSpeaking } = startNotifier();
    const steps = [
      () => notifier.toast("Settings saved."),
      () => notifier.toast("Reminder deleted", { undo }),
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

  it("withdraws the dialog of a chart that stops, whether it is shown or queued", async () => {
    const { notifier, notifications, question } = startNotifier();
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

  it("shows one dialog at a time, and returns each answer to its caller", async () => {
    const { notifier, notifications, question } = startNotifier();
    const answers = [
      notifier.confirm("Delete this stage?"),
      notifier.confirm("Send to all leads?"),
      notifier.alert("✅"),
    ];
    const questions: unknown[] = [];
    for (const isConfirmed of [false, true, true]) {
      questions.push(question());
      notifications.send({ type: "question.answer", isConfirmed });
    }
    expect([questions, await Promise.all(answers), question()]).toEqual([
      ["Delete this stage?", "Send to all leads?", "✅"],
      [false, true, undefined],
      null,
    ]);
  });
});
