import { describe, expect, it, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { type RemindersGateway, createReminders, remindersMachine } from "../../src/machines/reminders/index.ts";
import { HttpError } from "../../src/services/http.ts";
import type { Invariants } from "../support/invariants.ts";
import { firstReadingInvariants, isCalling, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { oneReminder, remindersModel } from "./reminders.model.ts";

const blank = {
  stage: "",
  channelId: "",
  delayDays: "2",
  template: "⏰ Lead {name} is stuck in stage {stage}.",
};
const draft = { type: "stuck", delay_days: 2, channel_id: "", template: blank.template };

const invariants: Invariants<typeof remindersMachine> = {
  ...readingInvariants("list.", "fetchReminders", "reminders", {
    starts: ["toggle", "delete", "add"]
      .flatMap((work) => [`done ${work}Reminder`, `error ${work}Reminder`])
      .filter((cause) => cause !== "done deleteReminder"),
  }),
  "rule.resting": {
    after: {
      start: ({ context }) =>
        expect(context).toEqual({
          reminders: [],
          stageNames: [],
          form: blank,
          refusal: null,
          activeId: null,
          problem: null,
        }),
      "done toggleReminder": ({ before, context }) => {
        const [reminder] = before.reminders;
        expect(context.reminders).toEqual([{ ...oneReminder, is_enabled: !reminder?.is_enabled }]);
      },
      "error toggleReminder": ({ before, context }) => {
        const problem = {
          id: "reminder-1",
          attempt: "toggle",
          words: "No response from the server. The reminder may have been changed.",
        };
        expect(context).toEqual({ ...before, activeId: null, problem });
      },
      "done deleteReminder": ({ context }) => expect(context.reminders).toEqual([]),
      "error deleteReminder": ({ before, context }) => {
        const problem = {
          id: "reminder-1",
          attempt: "delete",
          words: "No response from the server. The reminder may have been deleted.",
        };
        expect(context).toEqual({ ...before, activeId: null, problem });
      },
    },
    accepts: ({ reminders }) => (reminders.length > 0 ? ["reminder.toggle", "reminder.delete"] : []),
    holds: ({ context }) => expect(context.activeId).toEqual(null),
  },
  "rule.toggling": {
    after: ["reminder.toggle"],
    holds: ({ context: { reminders, activeId, problem }, calls }) => {
      expect([activeId, problem]).toEqual(["reminder-1", null]);
      isCalling("toggleReminder", { id: "reminder-1", isEnabled: !reminders[0]?.is_enabled })({ calls });
    },
  },
  "rule.deleting": {
    after: ["reminder.delete"],
    holds: ({ context, calls }) => {
      expect([context.activeId, context.problem]).toEqual(["reminder-1", null]);
      isCalling("deleteReminder", { id: "reminder-1" })({ calls });
    },
  },
  ...firstReadingInvariants("suggestions.", "fetchStageNames"),
  "suggestions.known": {
    after: { "done fetchStageNames": ({ context }) => expect(context.stageNames).toEqual(["Interested"]) },
  },
  "form.awaitingRule": {
    after: {
      start: null,
      "form.change": ({ event, before, context }) =>
        expect(context).toEqual({ ...before, form: { ...before.form, ...event.change }, refusal: null }),
      "done addReminder": ({ before, context }) => expect(context).toEqual({ ...before, form: blank, refusal: null }),
      "done showAlert": null,
      "error showAlert": null,
    },
    accepts: ["form.change", "form.submit"],
  },
  "form.adding": {
    after: ["form.submit"],
    holds: ({ context, calls }) => isCalling("addReminder", { ...draft, stage: context.form.stage })({ calls }),
  },
  "form.alerting": {
    after: {
      "error addReminder": ({ before, context }) =>
        expect(context).toEqual({
          ...before,
          refusal: { message: "Check the reminder.", fields: { stage: "Name it." } },
        }),
    },
    holds: isCalling("showAlert", { message: "Error adding reminder" }),
  },
};

walkEveryPath(remindersMachine, remindersModel, invariants);

function startReminders(gateway: Partial<RemindersGateway> = {}) {
  const calls: unknown[] = [];
  let restored = () => {};
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
    undoing: {
      offer: (id) => calls.push(`undo offered: ${id}`),
      onRestored: (listener) => {
        restored = () => listener(oneReminder);
        return () => {};
      },
    },
    notifier: {
      alert: async (message) => void calls.push(`alert: ${message}`),
      toast: (message) => calls.push(`toast: ${message}`),
      warn: (message) => calls.push(`warn: ${message}`),
    },
    onReturn: () => () => {},
    logger: { warn: (what) => calls.push(`log: ${what}`) },
  });
  const rules = createActor(logic).start();
  const isReady = () =>
    waitFor(rules, (snapshot) =>
      snapshot.matches({ list: { shown: "current" }, rule: "resting", form: "awaitingRule" }),
    );
  return { rules, calls, isReady, restore: () => restored() };
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
    expect(calls.slice(1)).toEqual(["log: a reminder was not added", "alert: Error adding reminder", "GET"]);
    expect(rules.getSnapshot().context.form.channelId).toEqual("team");
    expect(rules.getSnapshot().context.refusal).toEqual({
      message: "Check the reminder.",
      fields: { channel_id: "Use @channel_name." },
    });
  });

  it("that was deleted does not come back with an answer from before", async () => {
    const answers: ((rules: (typeof oneReminder)[]) => void)[] = [];
    const { rules, isReady, restore } = startReminders({ list: () => new Promise((resolve) => answers.push(resolve)) });
    answers[0]?.([oneReminder]);
    await isReady();
    restore();
    rules.send({ type: "reminder.delete", id: "reminder-1" });
    await waitFor(rules, (snapshot) => snapshot.matches({ rule: "resting" }));
    answers[1]?.([oneReminder]);
    await isReady();
    expect(rules.getSnapshot().context.reminders).toEqual([]);
  });

  it("that came back by an undo is read again", async () => {
    const { rules, calls, isReady, restore } = startReminders();
    await isReady();
    rules.send({ type: "reminder.delete", id: "reminder-1" });
    await isReady();
    restore();
    await isReady();
    expect(calls.at(-1)).toEqual("GET");
    expect(rules.getSnapshot().context.reminders).toEqual([oneReminder]);
  });

  it("is deleted to the end when the screen is left meanwhile, and a refusal is told all the same", async () => {
    let answer = { resolve: () => {}, reject: (_error: Error) => {} };
    const remove = () => new Promise<void>((resolve, reject) => (answer = { resolve, reject }));
    const left = startReminders({ remove });
    await left.isReady();
    left.rules.send({ type: "reminder.delete", id: "reminder-1" });
    left.rules.stop();
    answer.resolve();
    await vi.waitFor(() => expect(left.calls).toEqual(["GET", "undo offered: reminder-1"]));
    const refused = startReminders({ remove });
    await refused.isReady();
    refused.rules.send({ type: "reminder.delete", id: "reminder-1" });
    refused.rules.stop();
    answer.reject(new HttpError(429, { message: "Slow down." }));
    await vi.waitFor(() => expect(refused.calls).toEqual(["GET", "log: Slow down.", "warn: Slow down."]));
  });

  it.each([
    ["toggled", "reminder.toggle", { setEnabled: () => Promise.reject(new Error("offline")) }],
    ["deleted", "reminder.delete", { remove: () => Promise.reject(new Error("offline")) }],
  ] as const)("that cannot be %s stays, says so beside it, and asks for no answer", async (done, type, gateway) => {
    const { rules, calls, isReady } = startReminders(gateway);
    await isReady();
    rules.send({ type, id: "reminder-1" });
    await isReady();
    expect(calls).toEqual(["GET", `log: a reminder was not ${done}`, "GET"]);
    expect(rules.getSnapshot().context.reminders).toEqual([oneReminder]);
    expect(rules.getSnapshot().context.problem).toMatchObject({
      id: "reminder-1",
      words: `No response from the server. The reminder may have been ${done === "toggled" ? "changed" : "deleted"}.`,
    });
  });
});
