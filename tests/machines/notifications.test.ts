import { describe, expect, it } from "vitest";
import { SimulatedClock } from "xstate";
import {
  createNotifier,
  notificationsMachine,
  selectQuestion,
  selectToast,
} from "../../src/machines/notifications/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { notificationsModel } from "./notifications.model.ts";

walkEveryPath(notificationsMachine, notificationsModel);

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
