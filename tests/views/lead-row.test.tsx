import { fireEvent, screen, within } from "@testing-library/react";
import { expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { LeadRowProvider, leadRowMachine } from "../../src/machines/lead-row/index.ts";
import { LeadRow } from "../../src/views/leads/LeadRow.tsx";
import { leadRowModel } from "../machines/lead-row.model.ts";
import { twoStages } from "../support/leads.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const row = () => within(screen.getByRole("row"));
const notes = () => row().getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" });
const stageSelect = () => row().queryByRole<HTMLSelectElement>("combobox", { name: "Stage" });
const sendButton = () => row().getByRole("button", { name: /Send/ });
const words = { sent: "Follow-up sent!", refused: "Failed to send.", unanswered: "Error occurred." };

// The list hands a row its newer reading, and the row has no control of its own for that.
const { lead } = leadRowModel.input as { lead: Parameters<typeof LeadRow>[0]["lead"] };
const screenModel = {
  ...leadRowModel,
  allow: (...[state, event]: Parameters<NonNullable<typeof leadRowModel.allow>>) =>
    event.type !== "lead.refreshed" &&
    // Typing what already stands there is no event.
    !(event.type === "notes.change" && event["notes"] === state.context.notes) &&
    (leadRowModel.allow?.(state, event) ?? true),
};

const see = ({ value, context }: AnyMachineSnapshot) => {
  expect(notes().value).toEqual(context.notes);
  expect(row().queryByText("Not saved.") !== null).toEqual(value.notes === "unsaved");
  expect(stageSelect() === null).toEqual(value.stage === "shown");
  if (stageSelect()) expect(document.activeElement).toBe(stageSelect());
  else expect(row().queryByText(context.lead.stage_id === "stage-2" ? "Interested" : "Initial Contact")).not.toBe(null);
  const isSending = value.followup === "sending";
  expect(sendButton().textContent).toEqual(isSending ? "Sending..." : "Send Follow-Up");
  for (const [state, text] of Object.entries(words)) {
    expect(row().queryByText(text) !== null).toEqual(value.followup === state);
  }
  expect(row().queryByText("No step left.") !== null).toEqual(value.followup === "refused");
  const total = context.lead.stage_id === "stage-1" ? 3 : 0;
  expect(row().queryByText(`${context.lead.followup_order_sent}/${total}`)).not.toBe(null);
};

walkEveryView({
  machine: leadRowMachine,
  model: screenModel,
  outOfReach: ["saved", "edited", "saving", "unsaved"].map((state) => `leadRow.notes.${state} | lead.refreshed | 0`),
  show: ({ service }, options) => {
    const logic = leadRowMachine.provide({
      actors: {
        saveNotes: service("saveNotes"),
        changeStage: service("changeStage"),
        sendFollowup: service("sendFollowup"),
        showAlert: service("showAlert"),
      },
    });
    return (
      <table>
        <tbody>
          <LeadRowProvider logic={logic} options={{ ...options, input: { lead } }}>
            <LeadRow lead={lead} stages={twoStages} stepsByStage={{ "stage-1": 3 }} />
          </LeadRowProvider>
        </tbody>
      </table>
    );
  },
  gestures: {
    "notes.change": (event) => fireEvent.change(notes(), { target: { value: event["notes"] } }),
    "notes.leave": () => fireEvent.blur(notes()),
    "notes.retry": () => fireEvent.click(row().getByRole("button", { name: "Try again" })),
    "stage.edit": () => fireEvent.click(row().getByRole("button", { name: "Edit stage" })),
    "stage.choose": (event) => fireEvent.change(stageSelect() as HTMLElement, { target: { value: event["stageId"] } }),
    "stage.cancel": () => fireEvent.keyDown(stageSelect() as HTMLElement, { key: "Escape" }),
    "followup.send": () => fireEvent.click(sendButton()),
  },
  see,
});
