import { useActorRef } from "@xstate/react";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from "xstate";
import type { Lead } from "../../domain/lead.ts";
import { type LeadRowInput, type LeadRowRef, createLeadRow } from "../../src/machines/lead-row/lead-row.machine.ts";
import { LeadRow } from "../../src/views/leads/LeadRow.tsx";
import { leadRowModel } from "../machines/lead-row.model.ts";
import { english } from "../support/english.ts";
import { leadNumber, rowWrites, twoStages, twoSteps } from "../support/leads.ts";
import { fill, press } from "../support/screen.ts";
import { fakePage } from "../support/page.ts";
import { type ViewOptions, walkEveryView } from "../support/walk-view.tsx";

const row = () => within(screen.getByRole("row"));
const notes = () => row().getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" });
const button = (name: string) => row().queryByRole("button", { name });
const stageSelect = () => row().queryByRole<HTMLSelectElement>("combobox", { name: "Stage" });
const sendButton = () => row().getByRole("button", { name: /Send/ });
const results = { sent: "Follow-up sent!", refused: "Failed to send.", unanswered: "Error occurred." };

// The list passes a refreshed lead to the row; no control of the row does that.
const { lead, steps } = leadRowModel.input as LeadRowInput;
/** An equal value is no event. */
const isAnew = (state: AnyMachineSnapshot, event: AnyEventObject) =>
  !(event.type === "notes.change" && event["notes"] === state.context.notes) &&
  !(/^stage\.(pick|choose)$/.test(event.type) && event["stageId"] === state.context.pickedStageId);
const screenModel = {
  ...leadRowModel,
  allow: (state: AnyMachineSnapshot, event: AnyEventObject) =>
    event.type !== "lead.refreshed" && isAnew(state, event) && (leadRowModel.allow?.(state, event) ?? true),
};

/** A row with its own chart, in a table. */
function TouchedRow({ logic, options, input }: { logic: AnyStateMachine; options?: ViewOptions; input: LeadRowInput }) {
  const ref = useActorRef(logic, { ...options, input }) as unknown as LeadRowRef;
  return <Row lead={input.lead} rowRef={ref} />;
}

const Row = ({ lead: reading, rowRef }: { lead: Lead; rowRef: LeadRowRef | undefined }) => (
  <table>
    <tbody>
      <LeadRow
        lead={reading}
        stages={twoStages}
        steps={steps}
        rowRef={rowRef}
        onTouch={() => {
          throw new Error("the row has its chart already");
        }}
        onOpen={() => {}}
        columns={[]}
        extras={null}
      />
    </tbody>
  </table>
);

walkEveryView({
  model: screenModel,
  outOfReach: {
    "leadRow | lead.refreshed | 0": "the list hands a row its newer reading",
    "leadRow | (always) | 0": "it follows the newer reading",
    "leadRow.notes.unsaved | (always) | 0": "it follows the newer reading",
    "leadRow.followup.unanswered | (always) | 0": "it follows the newer reading",
  },
  show: (logic, options) => <TouchedRow logic={logic} options={options} input={options.input} />,
  gestures: {
    "notes.change": fill(notes, (event) => String(event["notes"])),
    // Leaving a field is always possible, but only has an effect after typing.
    "notes.leave": () => fireEvent.blur(notes()),
    "notes.retry": press(() => button("Try again")),
    "stage.edit": press(() => button("Edit stage")),
    "stage.choose": fill(stageSelect, (event) => String(event["stageId"])),
    "stage.pick": {
      control: stageSelect,
      act: (control, event) => {
        fireEvent.keyDown(control, { key: "ArrowDown" });
        fireEvent.change(control, { target: { value: event["stageId"] } });
        fireEvent.pointerDown(control);
      },
    },
    "stage.commit": {
      control: stageSelect,
      act: (control) => {
        fireEvent.keyDown(control, { key: "Enter" });
        fireEvent.keyUp(control, { key: "Enter" });
      },
    },
    "stage.cancel": { control: stageSelect, act: (control) => fireEvent.keyDown(control, { key: "Escape" }) },
    "followup.send": press(sendButton),
  },
  see({ value, context }) {
    expect(notes().value).toEqual(context.notes);
    expect(row().queryByText(english(context.notesProblem)) !== null).toEqual(value.notes === "unsaved");
    expect(stageSelect() === null).toEqual(value.stage === "shown");
    if (stageSelect()) expect(document.activeElement).toBe(stageSelect());
    else
      expect(row().queryByText(context.lead.stage_id === "stage-2" ? "Interested" : "Initial Contact")).not.toBe(null);
    const isSending = value.followup === "sending";
    expect(sendButton().textContent).toEqual(isSending ? "Sending..." : "Send Follow-Up");
    for (const [state, text] of Object.entries(results)) {
      expect(row().queryByText(text) !== null).toEqual(value.followup === state);
    }
    expect(row().queryByText("No step left.") !== null).toEqual(value.followup === "refused");
    const isLeft = context.lead.stage_id === "stage-1" && context.lead.followup_order_sent < 3;
    const rest = context.lead.stage_id === "stage-1" ? "All steps sent" : "Stage has no steps";
    expect(sendButton().getAttribute("aria-disabled")).toEqual(
      isLeft && !isSending && value.followup !== "confirming" ? null : "true",
    );
    expect(row().queryByText("Opted out") !== null).toEqual(context.lead.opted_out_at != null);
    expect(row().queryByText(isLeft ? /^Next: / : rest)).not.toBe(null);
    const total = context.lead.stage_id === "stage-1" ? 3 : 0;
    expect(row().queryByText(`${context.lead.followup_order_sent}/${total}`)).not.toBe(null);
  },
});

describe("a row of the list", () => {
  /** Renders the row with a server that accepts writes, and records them. */
  const show = (changeStage?: () => Promise<void>) => {
    const calls: string[] = [];
    const leads = { ...rowWrites((write) => calls.push(write)), ...(changeStage && { changeStage }) };
    const logic = createLeadRow(fakePage(), { leads });
    return {
      calls,
      ...render(<TouchedRow logic={logic} input={{ lead, steps: twoSteps, draft: null, list: null }} />),
    };
  };
  const choose = (value: string) => fireEvent.change(stageSelect() as HTMLElement, { target: { value } });

  it("shows its lead's data and updates while untouched", () => {
    const first = leadNumber(1, { id: "a/b", notes: "Hello", name: "Ada" });
    const { rerender } = render(<Row lead={first} rowRef={undefined} />);
    expect([notes().value, row().queryByText("Ada"), row().queryByText("0/3")]).not.toContain(null);
    // The name links to the conversation.
    expect(row().getByRole("link").getAttribute("href")).toEqual("/leads/a%2Fb");
    rerender(<Row lead={leadNumber(1, { notes: "From another tab", followup_order_sent: 3 })} rowRef={undefined} />);
    expect(notes().value).toEqual("From another tab");
    expect(row().queryByText("3/3")).not.toEqual(null);
    expect(sendButton().getAttribute("aria-disabled")).toEqual("true");
  });

  it("saves the focused note when it is removed", () => {
    const { calls, unmount } = show();
    fireEvent.change(notes(), { target: { value: "Typed and gone" } });
    unmount();
    expect(calls).toEqual(["notes: Typed and gone"]);
  });

  it("changes no stage before Enter is pressed in the dropdown, nor on blur", async () => {
    const { calls } = show();
    const user = userEvent.setup({ delay: null });
    fireEvent.click(button("Edit stage") as HTMLElement);
    act(() => notes().focus());
    expect([stageSelect(), calls]).toEqual([null, []]);
    button("Edit stage")?.focus();
    await user.keyboard("{Enter}");
    expect(document.activeElement).toBe(stageSelect());
    fireEvent.keyDown(stageSelect() as HTMLElement, { key: "ArrowDown" });
    choose("stage-2");
    expect([stageSelect()?.value, calls]).toEqual(["stage-2", []]);
    await user.keyboard("{Enter}");
    expect(calls).toEqual(["stage: stage-2"]);
  });

  it("keeps a refused move's dropdown and message on blur, until Escape", async () => {
    show(() => Promise.reject(new Error("no network")));
    fireEvent.click(button("Edit stage") as HTMLElement);
    choose("stage-2");
    const message = await screen.findByText(/No response from the server/);
    await waitFor(() => expect(stageSelect()?.getAttribute("aria-busy")).toEqual(null));
    act(() => notes().focus());
    expect([stageSelect(), message.isConnected]).toEqual([expect.anything(), true]);
    fireEvent.keyDown(stageSelect() as HTMLElement, { key: "Escape" });
    expect([stageSelect(), message.isConnected]).toEqual([null, false]);
  });
});
