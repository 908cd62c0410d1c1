import { expect, it } from "vitest";
import { activateEnglish, activateLocale, loadTexts } from "../../src/language/activate.ts";
import { createReminders } from "../../src/machines/reminders/reminders.machine.ts";
import {
  type VisitOf,
  initialLoadInvariants,
  isCalling,
  readingInvariants,
  unchecked,
  walkEveryPath,
} from "../support/invariants.ts";
import { failureText, refusedWith, unanswered } from "../support/model.ts";
import { fakePage, openJourney, settle, startJourney } from "../support/page.ts";
import { invalid, oneReminder, remindersModel } from "./reminders.model.ts";

const blank = { stage: "", channelId: "", delayDays: "2", template: "⏰ Lead {name} is stuck in stage {stage}." };
const draft = { type: "stuck", delay_days: 2, channel_id: "", template: blank.template };

const failed =
  (attempt: "toggle" | "delete", unknown: string) =>
  ({ before, context, event }: VisitOf<typeof remindersModel>) =>
    expect(context).toEqual({
      ...before,
      activeId: null,
      problem: { id: "reminder-1", attempt, message: failureText(event, unknown) },
    });

walkEveryPath(remindersModel, {
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
      "error toggleReminder": failed("toggle", "The reminder may have been changed."),
      "done deleteReminder": ({ context }) => expect(context.reminders).toEqual([]),
      "error deleteReminder": failed("delete", "The reminder may have been deleted."),
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
  ...initialLoadInvariants("suggestions.", "fetchStageNames"),
  "suggestions.known": {
    after: { "done fetchStageNames": ({ context }) => expect(context.stageNames).toEqual(["Interested"]) },
  },
  "form.awaitingRule": {
    after: {
      ...unchecked("start", "done showAlert", "error showAlert"),
      "form.change": ({ event, before, context }) =>
        expect(context).toEqual({ ...before, form: { ...before.form, ...event.change }, refusal: null }),
      "done addReminder": ({ before, context }) => expect(context).toEqual({ ...before, form: blank, refusal: null }),
    },
    accepts: ["form.change", "form.submit"],
  },
  "form.adding": {
    after: ["form.submit"],
    holds: ({ context, calls }) => isCalling("addReminder", { ...draft, stage: context.form.stage })({ calls }),
  },
  "form.alerting": {
    after: {
      "error addReminder": ({ before, context, event }) =>
        expect(context).toEqual({
          ...before,
          refusal:
            event.error === invalid
              ? { message: "Check the reminder.", fields: { stage: "Name it." } }
              : {
                  message: unanswered(
                    "The reminder may have been added. If it is not in the list, try again: it is not added twice.",
                  ),
                  fields: {},
                },
        }),
    },
    holds: isCalling("showAlert", { message: "Error adding reminder" }),
  },
});

type Gateway = NonNullable<NonNullable<Parameters<typeof createReminders>[1]>["reminders"]>;

async function startReminders(gateway: Partial<Gateway> = {}) {
  const page = fakePage();
  const calls: unknown[] = [];
  let restored = () => {};
  const logic = createReminders(page, {
    reminders: {
      list: async () => [oneReminder],
      add: async (reminder) => void calls.push(["POST", reminder]),
      setEnabled: async (change) => void calls.push(["PATCH", change]),
      remove: async ({ id }) => void calls.push(`DELETE ${id}`),
      ...gateway,
    },
    stages: { list: async () => [{ name: "Interested" }, { name: null }] },
    undoing: {
      offer: (id) => calls.push(`undo ${id}`),
      onRestored: (listener) => ((restored = () => listener(oneReminder)), () => {}),
    },
  });
  const journey = await openJourney(logic);
  return { ...journey, notices: page.notices, calls, restore: () => restored() };
}

it("adds a reminder with defaults for empty fields", async () => {
  const { go, calls, context } = await startReminders();
  await go({ type: "form.change", change: { stage: "Interested", channelId: "@team" } }, { type: "form.submit" });
  expect([calls, context().stageNames]).toEqual([
    [["POST", { ...draft, stage: "Interested", channel_id: "@team" }]],
    ["Interested"],
  ]);
});

it("hides a deleted reminder from an older response, and shows it after Undo", async () => {
  const answers: ((reminders: (typeof oneReminder)[]) => void)[] = [];
  const { go, context, calls, restore } = await startReminders({
    list: () => new Promise((resolve) => answers.push(resolve)),
  });
  const answer = (place: number) => (answers[place]?.([oneReminder]), settle());
  await answer(0);
  restore();
  await go({ type: "reminder.delete", id: "reminder-1" });
  await answer(1);
  expect(context().reminders).toEqual([]);
  restore();
  await answer(2);
  expect([context().reminders, calls]).toEqual([[oneReminder], ["DELETE reminder-1", "undo reminder-1"]]);
});

it.each([
  { outcome: "offers the undo", remove: async () => {}, calls: ["undo reminder-1"], notices: [] },
  {
    outcome: "warns of a refusal",
    remove: () => Promise.reject(refusedWith(429, { message: "Slow down." })),
    calls: [],
    notices: [["warning", "Slow down."]],
  },
])(
  "finishes a deletion after the user leaves the screen and $outcome",
  async ({ remove, calls: undone, notices: expected }) => {
    const { leave, calls, notices } = await startReminders({ remove });
    await leave({ type: "reminder.delete", id: "reminder-1" });
    expect([calls, notices]).toEqual([undone, expected]);
  },
);

it("starts from a template in the page's language", async () => {
  await loadTexts("inside");
  await activateLocale("ru");
  expect(startJourney(createReminders(fakePage())).context().form.template).toEqual(
    "⏰ Лид {name} застрял на этапе {stage}.",
  );
  activateEnglish();
});
