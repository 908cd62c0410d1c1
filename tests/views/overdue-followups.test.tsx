import { fireEvent, screen } from "@testing-library/react";
import { expect } from "vitest";
import { type AnyEventObject, type AnyMachineSnapshot, fromCallback } from "xstate";
import { OverdueFollowupsProvider, overdueFollowupsMachine } from "../../src/machines/overdue-followups/index.ts";
import { OverdueNotice } from "../../src/views/followups/OverdueBanner.tsx";
import { overdueFollowupsModel } from "../machines/overdue-followups.model.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = () => screen.queryByRole("button", { name: "Send overdue follow-ups" });
let tell = (_event: AnyEventObject) => {};

const see = (state: AnyMachineSnapshot) => {
  if (state.matches("loading") || state.matches("absent")) {
    expect(document.body.textContent).toEqual("");
    return;
  }
  expect(screen.getByRole("status").textContent).toContain(
    "2 follow-ups were overdue by more than a day when automation could first send them. They wait for your word. To Ann and 1 more.",
  );
  expect(button()?.getAttribute("aria-busy")).toEqual(state.matches("planning") ? "true" : null);
  expect(screen.queryByRole("alert")?.textContent ?? null).toEqual(state.context.problem);
};

walkEveryView({
  machine: overdueFollowupsMachine,
  model: overdueFollowupsModel,
  show: ({ service }, options) => {
    const logic = overdueFollowupsMachine.provide({
      actors: {
        fetchOverdue: service("fetchOverdue"),
        askConfirmation: service("askConfirmation"),
        planOverdue: service("planOverdue"),
        watchPlan: fromCallback<AnyEventObject>(({ sendBack }) => {
          tell = sendBack;
        }),
      },
    });
    return (
      <OverdueFollowupsProvider logic={logic} options={options}>
        <OverdueNotice />
      </OverdueFollowupsProvider>
    );
  },
  gestures: {
    "overdue.send": () => fireEvent.click(button() as HTMLElement),
    "plan.changed": () => tell({ type: "plan.changed" }),
  },
  see,
});
