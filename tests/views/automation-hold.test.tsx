import { fireEvent, screen } from "@testing-library/react";
import { expect } from "vitest";
import { AutomationHold } from "../../src/machines/automation-hold/automation-hold.machine.ts";
import { untouchedRow } from "../../src/machines/lead-row/lead-row.machine.ts";
import { NextStep } from "../../src/views/lead-panel/NextStep.tsx";
import { automationHoldModel } from "../machines/automation-hold.model.ts";
import { detailNumber, panelOf } from "../machines/lead-panel.model.ts";
import { button, over, press, seen, submit } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const untilWhen = () => screen.queryByLabelText<HTMLSelectElement>("Until when");

const lead = detailNumber(1);
const panel = panelOf(lead);

walkEveryView({
  model: automationHoldModel,
  show: over(
    AutomationHold,
    <NextStep lead={lead} row={untouchedRow(lead, panel.steps)} panel={panel} send={() => {}} />,
  ),
  gestures: {
    "reason.ask": press("Why not sent?"),
    "step.skip": press("Skip"),
    "hold.choose": press(() => (untilWhen() === null ? button("Hold") : null)),
    "hold.change": {
      control: ({ change }) => ("date" in change ? screen.queryByLabelText("Day") : null) ?? untilWhen(),
      act: (control, { change }) => fireEvent.change(control, { target: { value: change.date ?? change.choice } }),
    },
    "hold.cancel": press("Cancel"),
    "hold.submit": submit(() => (untilWhen() === null ? null : button("Hold"))),
    "automation.resume": press("Resume"),
  },
  see(state) {
    const { automation, problem, hold } = state.context;
    const words = automation?.words ?? "It is sent when it is due, while automatic follow-ups are on.";
    expect(screen.queryByText(words, { exact: false })).not.toBe(null);
    expect(seen("What happens next could not be read.")).toEqual(state.matches({ state: "loadFailed" }));
    expect(seen(/could not be read again/)).toEqual(state.matches({ state: { shown: "outdated" } }));
    expect(seen(problem)).toEqual(problem !== null);
    const isAsking = state.matches({ work: "choosing" }) || state.matches({ work: "holding" });
    expect(untilWhen()?.value ?? null).toEqual(isAsking ? hold.choice : null);
    expect(screen.queryByLabelText("Day") !== null).toEqual(isAsking && hold.choice === "date");
    expect(button("Send now")).not.toBe(null);
  },
});
