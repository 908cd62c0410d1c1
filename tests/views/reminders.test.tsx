import { screen, within } from "@testing-library/react";
import { expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { RemindersProvider, remindersMachine } from "../../src/machines/reminders/index.ts";
import { RemindersView } from "../../src/views/reminders/RemindersView.tsx";
import { oneReminder, remindersModel } from "../machines/reminders.model.ts";
import { fill, press, outside } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const stageField = () => screen.getByLabelText<HTMLInputElement>("Stage name");
const rule = () => {
  const item = screen.queryByRole("listitem");
  return item && within(item);
};
const [listening, tell] = outside();

const see = (state: AnyMachineSnapshot) => {
  const { form, reminders, refusal, problem } = state.context;
  expect(stageField().value).toEqual(form.stage);
  expect(screen.getByLabelText<HTMLInputElement>("Delay in days").value).toEqual("2");
  expect(screen.getByLabelText<HTMLInputElement>("Message template").value).toEqual(oneReminder.template);
  const isAdding = state.matches({ form: "adding" });
  const add = screen.getByRole("button", { name: "Add Reminder" });
  expect(add.getAttribute("aria-busy")).toEqual(isAdding ? "true" : null);
  expect(screen.queryByText("Name it.") !== null).toEqual(refusal !== null);
  expect(screen.queryByText("Failed to load reminders") !== null).toEqual(
    state.matches({ list: "unread" }) || state.matches({ list: { shown: "outdated" } }),
  );
  expect(screen.queryByText("Loading reminders...") !== null).toEqual(
    state.matches({ list: "loading" }) || state.matches({ list: { shown: "refreshing" } }),
  );
  expect(screen.queryByText(/The reminder may have been changed/) !== null).toEqual(problem?.attempt === "toggle");
  expect(screen.queryByText(/The reminder may have been deleted/) !== null).toEqual(problem?.attempt === "delete");
  expect(screen.queryAllByRole("listitem")).toHaveLength(reminders.length);
  if (reminders.length === 0) return;
  for (const text of ["Interested", "2 days", "@team", "Enabled", oneReminder.template ?? ""]) {
    expect(rule()?.queryByText(text === "Enabled" && !reminders[0].is_enabled ? "Disabled" : text)).not.toEqual(null);
  }
};

walkEveryView({
  machine: remindersMachine,
  model: {
    ...remindersModel,
    allow: (state, event) => {
      const { form, reminders } = state.context;
      if (event.type === "form.change" && form.stage === event["change"].stage) return false;
      if (event.type.startsWith("reminder.") && reminders.length === 0) return false;
      return remindersModel.allow?.(state, event) ?? true;
    },
  },
  show: ({ service }, options) => {
    const logic = remindersMachine.provide({
      actors: {
        fetchReminders: service(),
        fetchStageNames: service(),
        addReminder: service(),
        toggleReminder: service(),
        deleteReminder: service(),
        showAlert: service(),
        watchRestored: listening,
      },
    });
    return (
      <RemindersProvider logic={logic} options={options}>
        <RemindersView />
      </RemindersProvider>
    );
  },
  gestures: {
    "form.change": fill(stageField, ({ change }) => change.stage),
    "form.submit": press(() => screen.queryByRole("button", { name: "Add Reminder" })),
    "reading.retry": press(() => screen.queryAllByRole("button", { name: "Try again" })[0] ?? null),
    "reading.refresh": () => tell({ type: "reading.refresh" }),
    "reminder.toggle": press(() => rule()?.queryByRole("button", { name: "Toggle" }) ?? null),
    "reminder.delete": press(() => rule()?.queryByRole("button", { name: "Delete" }) ?? null),
  },
  see,
});
