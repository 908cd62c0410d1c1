import { fireEvent, screen, within } from "@testing-library/react";
import { expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { RemindersProvider, remindersMachine } from "../../src/machines/reminders/index.ts";
import { RemindersView } from "../../src/views/reminders/RemindersView.tsx";
import { oneReminder, remindersModel } from "../machines/reminders.model.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const stageField = () => screen.getByLabelText<HTMLInputElement>("Stage name");
const rule = () => within(screen.getByRole("listitem"));

const see = (state: AnyMachineSnapshot) => {
  const { form, reminders, refusal } = state.context;
  expect(stageField().value).toEqual(form.stage);
  expect(screen.getByLabelText<HTMLInputElement>("Delay in days").value).toEqual("2");
  expect(screen.getByLabelText<HTMLInputElement>("Message template").value).toEqual(oneReminder.template);
  const isAdding = state.matches({ form: "adding" });
  const add = screen.getByRole("button", { name: "Add Reminder" });
  expect(add.getAttribute("aria-busy")).toEqual(isAdding ? "true" : null);
  expect(screen.queryByText("Name it.") !== null).toEqual(refusal !== null);
  expect(screen.queryByText("Failed to load reminders") !== null).toEqual(state.matches({ list: "failed" }));
  expect(screen.queryByText("Loading reminders...") !== null).toEqual(state.matches({ list: "loading" }));
  expect(screen.queryAllByRole("listitem")).toHaveLength(reminders.length);
  if (reminders.length === 0) return;
  for (const text of ["Interested", "2 days", "@team", "Enabled", oneReminder.template ?? ""]) {
    expect(rule().queryByText(text)).not.toEqual(null);
  }
};

walkEveryView({
  machine: remindersMachine,
  model: {
    ...remindersModel,
    allow: (state, event) => {
      const { form, reminders } = state.context;
      if (event.type === "form.change" && form.stage === event["change"].stage) return false;
      if (event.type === "list.reload" && !state.matches({ list: "failed" })) return false;
      if (event.type.startsWith("reminder.") && reminders.length === 0) return false;
      return remindersModel.allow?.(state, event) ?? true;
    },
  },
  show: ({ service }, options) => {
    const logic = remindersMachine.provide({
      actors: {
        fetchReminders: service("fetchReminders"),
        fetchStageNames: service("fetchStageNames"),
        addReminder: service("addReminder"),
        toggleReminder: service("toggleReminder"),
        deleteReminder: service("deleteReminder"),
        showAlert: service("showAlert"),
      },
    });
    return (
      <RemindersProvider logic={logic} options={options}>
        <RemindersView />
      </RemindersProvider>
    );
  },
  gestures: {
    "form.change": ({ change }) => fireEvent.change(stageField(), { target: { value: change.stage } }),
    "form.submit": () => fireEvent.click(screen.getByRole("button", { name: "Add Reminder" })),
    "list.reload": () => fireEvent.click(screen.getByRole("button", { name: "Try again" })),
    "reminder.toggle": () => fireEvent.click(rule().getByRole("button", { name: "Toggle" })),
    "reminder.delete": () => fireEvent.click(rule().getByRole("button", { name: "Delete" })),
  },
  see,
});
