import { fireEvent, render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import type { Lead } from "../../domain/lead.ts";
import { LeadRowProvider, createLeadRow, leadRowMachine } from "../../src/machines/lead-row/index.ts";
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
const { lead } = leadRowModel.input as { lead: Lead };
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

describe("a row of the list", () => {
  const calls: string[] = [];
  const never = () => new Promise<never>(() => {});
  const logic = createLeadRow({
    leads: {
      saveNotes: async ({ notes: text }) => void calls.push(text),
      changeStage: never,
      sendFollowup: never,
    },
    notifier: { toast: () => {}, alert: never },
    logger: { warn: () => {} },
    reloadList: () => {},
  });
  const rowOf = (reading: Lead) => (
    <table>
      <tbody>
        <LeadRowProvider logic={logic} options={{ input: { lead } }}>
          <LeadRow lead={reading} stages={twoStages} stepsByStage={{ "stage-1": 3 }} />
        </LeadRowProvider>
      </tbody>
    </table>
  );

  it("takes over a newer reading, but not over what is being typed", () => {
    const { rerender } = render(rowOf(lead));
    rerender(rowOf({ ...lead, stage_id: "stage-2", notes: "From another tab", name: "Ada" }));
    expect([notes().value, row().queryByText("Ada"), row().queryByText("Interested")]).not.toContain(null);
    expect(notes().value).toEqual("From another tab");
    fireEvent.change(notes(), { target: { value: "Half a sen" } });
    rerender(rowOf({ ...lead, notes: "From a third tab", followup_order_sent: 2 }));
    expect(notes().value).toEqual("Half a sen");
    expect(row().queryByText("2/3")).not.toEqual(null);
  });

  it("saves the note under the cursor when it goes away", () => {
    const { unmount } = render(rowOf(lead));
    fireEvent.change(notes(), { target: { value: "Typed and gone" } });
    unmount();
    expect(calls.at(-1)).toEqual("Typed and gone");
  });
});
