import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { Reminders } from "../../src/machines/reminders/reminders.machine.ts";
import { RemindersView } from "../../src/views/reminders/RemindersView.tsx";
import { oneReminder, remindersModel } from "../machines/reminders.model.ts";
import { answering } from "../support/model.ts";
import { fill, over, press, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const stageField = () => screen.getByLabelText<HTMLInputElement>("Stage name");
const rule = () => {
  const item = screen.queryByRole("listitem");
  return item && within(item);
};

const ruleButton = (name: string | RegExp) => rule()?.queryByRole("button", { name }) ?? null;

walkEveryView({
  model: remindersModel,
  show: over(Reminders, <RemindersView />),
  gestures: {
    "form.change": fill(stageField, ({ change }) => change.stage),
    "form.submit": press("Add Reminder"),
    "reading.retry": press(() => screen.queryAllByRole("button", { name: "Try again" })[0] ?? null),
    "reminder.toggle": press(() => ruleButton("Toggle")),
    "reminder.delete": press(() => ruleButton("Delete")),
  },
  see(state) {
    const { form, reminders, refusal, problem } = state.context;
    expect(stageField().value).toEqual(form.stage);
    expect(screen.getByLabelText<HTMLInputElement>("Delay in days").value).toEqual("2");
    expect(screen.getByLabelText<HTMLInputElement>("Message template").value).toEqual(oneReminder.template);
    const isAdding = state.matches({ form: "adding" });
    const add = screen.getByRole("button", { name: "Add Reminder" });
    expect(add.getAttribute("aria-busy")).toEqual(isAdding ? "true" : null);
    expect(seen("Name it.")).toEqual(refusal?.fields.stage !== undefined);
    expect(seen(/The reminder may have been added/)).toEqual(refusal !== null && refusal.fields.stage === undefined);
    expect(seen("Failed to load reminders")).toEqual(
      state.matches({ list: "loadFailed" }) || state.matches({ list: { shown: "outdated" } }),
    );
    expect(seen("Loading reminders...")).toEqual(
      state.matches({ list: "loading" }) || state.matches({ list: { shown: "refreshing" } }),
    );
    expect(seen(problem?.message)).toEqual(problem !== null && reminders.length > 0);
    expect(screen.queryAllByRole("listitem")).toHaveLength(reminders.length);
    if (reminders.length === 0) return;
    for (const [name, rule] of [
      ["Toggle", "toggling"],
      ["Delete", "deleting"],
    ] as const)
      expect(ruleButton(name)?.getAttribute("aria-busy")).toEqual(state.matches({ rule }) ? "true" : null);
    const retried = problem && (problem.attempt === "toggle" ? "Try again: Toggle" : "Try again: Delete");
    expect(ruleButton(/^Try again/)?.getAttribute("aria-label")).toEqual(retried ?? undefined);
    for (const text of ["Interested", "2 days", "@team", "Enabled", oneReminder.template ?? ""]) {
      expect(rule()?.queryByText(text === "Enabled" && !reminders[0].is_enabled ? "Disabled" : text)).not.toEqual(null);
    }
  },
});

async function addWithDelay(days: string) {
  const delays: number[] = [];
  const logic = answering(remindersModel.machine, {
    fetchReminders: () => [],
    fetchStageNames: () => [],
    addReminder: ({ delay_days }: { delay_days: number }) => delays.push(delay_days),
  });
  render(over(Reminders, <RemindersView />)(logic));
  const field = screen.getByLabelText("Delay in days");
  fireEvent.change(field, { target: { value: days } });
  const isRefused = seen("Whole days from 1 to 365.");
  await act(async () => fireEvent.submit(field));
  return { delays, isRefused };
}

it.each(["1.000", "1.5", "366"])("refuses %s as a delay in days", async (days) =>
  expect(await addWithDelay(days)).toEqual({ delays: [], isRefused: true }),
);

it.each([
  ["", 2],
  ["365", 365],
])("takes %j as a delay of %d days", async (days, delay) =>
  expect(await addWithDelay(days)).toEqual({ delays: [delay], isRefused: false }),
);
