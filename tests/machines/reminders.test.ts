import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { type RemindersGateway, createReminders, remindersMachine } from "../../src/machines/reminders/index.ts";
import { HttpError } from "../../src/services/http.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { oneReminder, remindersModel } from "./reminders.model.ts";

walkEveryPath(remindersMachine, remindersModel);

function startReminders(gateway: Partial<RemindersGateway> = {}) {
  const calls: unknown[] = [];
  const logic = createReminders({
    reminders: {
      list: async () => {
        calls.push("GET");
        return [oneReminder];
      },
      add: async (reminder) => void calls.push(["POST", reminder]),
      setEnabled: async (change) => void calls.push(["PATCH", change]),
      remove: async ({ id }) => void calls.push(["DELETE", id]),
      ...gateway,
    },
    stages: { list: async () => [{ name: "Interested" }, { name: null }] },
    notifier: { alert: async (message) => void calls.push(`alert: ${message}`) },
    logger: { warn: (what) => calls.push(`log: ${what}`) },
  });
  const rules = createActor(logic).start();
  const isReady = () => waitFor(rules, (snapshot) => snapshot.matches({ list: "ready", form: "awaitingRule" }));
  return { rules, calls, isReady };
}

describe("a reminder rule", () => {
  it("starts with its defaults and is read back after it was added", async () => {
    const { rules, calls, isReady } = startReminders();
    await isReady();
    rules.send({ type: "form.change", change: { stage: "Interested", channelId: "@team" } });
    rules.send({ type: "form.submit" });
    await isReady();
    expect(calls).toEqual([
      "GET",
      [
        "POST",
        {
          type: "stuck",
          stage: "Interested",
          delay_days: 2,
          channel_id: "@team",
          template: "⏰ Lead {name} is stuck in stage {stage}.",
        },
      ],
      "GET",
    ]);
    expect(rules.getSnapshot().context.form.stage).toEqual("");
    expect(rules.getSnapshot().context.stageNames).toEqual(["Interested"]);
  });

  it("that is refused is told in an alert, with the fields at fault, and stays in the form", async () => {
    const refusal = new HttpError(422, {
      message: "Check the reminder.",
      fields: { channel_id: "Use @channel_name.", odd: 7 },
    });
    const { rules, calls, isReady } = startReminders({ add: () => Promise.reject(refusal) });
    await isReady();
    rules.send({ type: "form.change", change: { stage: "Interested", channelId: "team" } });
    rules.send({ type: "form.submit" });
    await isReady();
    expect(calls.slice(1)).toEqual(["log: a reminder was not added", "alert: Error adding reminder"]);
    expect(rules.getSnapshot().context.form.channelId).toEqual("team");
    expect(rules.getSnapshot().context.refusal).toEqual({
      message: "Check the reminder.",
      fields: { channel_id: "Use @channel_name." },
    });
  });

  it("is toggled to its opposite and read back", async () => {
    const { rules, calls, isReady } = startReminders();
    await isReady();
    rules.send({ type: "reminder.toggle", id: "reminder-1" });
    await isReady();
    expect(calls).toEqual(["GET", ["PATCH", { id: "reminder-1", isEnabled: false }], "GET"]);
  });

  it("is deleted without reading the list again", async () => {
    const { rules, calls, isReady } = startReminders();
    await isReady();
    rules.send({ type: "reminder.delete", id: "reminder-1" });
    await isReady();
    expect(calls).toEqual(["GET", ["DELETE", "reminder-1"]]);
    expect(rules.getSnapshot().context.reminders).toEqual([]);
  });

  it.each([
    ["toggled", "reminder.toggle", { setEnabled: () => Promise.reject(new Error("offline")) }],
    ["deleted", "reminder.delete", { remove: () => Promise.reject(new Error("offline")) }],
  ] as const)("that cannot be %s stays, and only the log knows", async (done, type, gateway) => {
    const { rules, calls, isReady } = startReminders(gateway);
    await isReady();
    rules.send({ type, id: "reminder-1" });
    await isReady();
    expect(calls).toEqual(["GET", `log: a reminder was not ${done}`]);
    expect(rules.getSnapshot().context.reminders).toEqual([oneReminder]);
  });
});
