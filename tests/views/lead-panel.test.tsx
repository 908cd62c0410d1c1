import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type AnyMachineSnapshot, fromPromise } from "xstate";
import type { StoryPage } from "../../domain/story.ts";
import { type Automation, AutomationHold } from "../../src/machines/automation-hold/automation-hold.machine.ts";
import { LeadPanel } from "../../src/machines/lead-panel/lead-panel.machine.ts";
import { Story } from "../../src/machines/story/story.machine.ts";
import { LeadPanelView } from "../../src/views/lead-panel/LeadPanelView.tsx";
import { StoryList } from "../../src/views/lead-panel/StoryList.tsx";
import { automationHoldMachine } from "../machines/automation-hold.model.ts";
import { detailNumber, leadPanelMachine, leadPanelModel, panelOf } from "../machines/lead-panel.model.ts";
import { happened, storyMachine, storyModel } from "../machines/story.model.ts";
import { press, createExternalActor } from "../support/gestures.ts";
import { twoStages } from "../support/leads.ts";
import { button, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const [listening, emit] = createExternalActor();
const quietStory = storyMachine.provide({
  actors: {
    fetchNewest: fromPromise<StoryPage, { leadId: string }>(async () => ({
      items: [happened(1, { type: "entered", to: "stage-1" })],
      next: null,
    })),
  },
});

/** A server without automation data. */
const quietHold = automationHoldMachine.provide({
  actors: { readAutomation: fromPromise<Automation | null, { leadId: string }>(async () => null) },
});

const input = { leadId: "lead-1" };
const panelOver = (actors: object, options: object = {}) => (
  <LeadPanel.Provider logic={leadPanelMachine.provide({ actors })} options={{ ...options, input }}>
    <Story.Provider logic={quietStory} options={{ input }}>
      <AutomationHold.Provider logic={quietHold} options={{ input }}>
        <LeadPanelView renderTagsAndFields={() => null} />
      </AutomationHold.Provider>
    </Story.Provider>
  </LeadPanel.Provider>
);

const seePanel = (state: AnyMachineSnapshot) => {
  const { panel } = state.context;
  expect(seen("The lead could not be read.")).toEqual(state.value === "loadFailed");
  expect(seen("Loading the lead…")).toEqual(state.matches("loading") && panel === null);
  const isKnown = !state.matches("loadFailed") && panel !== null && panel.lead !== null;
  expect(screen.queryByRole("heading", { name: "Lead 1" }) !== null).toEqual(isKnown);
  expect(button("Send now") !== null).toEqual(isKnown);
  expect(seen(/What you see is from before/)).toEqual(state.matches({ shown: "outdated" }));
};

const seeStory = (state: AnyMachineSnapshot) => {
  const isShown = state.matches({ newest: "shown" });
  expect(screen.queryAllByRole("listitem")).toHaveLength(isShown ? state.context.items.length : 0);
  expect(seen("Older parts could not be read.")).toEqual(isShown && state.matches({ older: "failed" }));
};

describe("the panel", () => {
  walkEveryView({
    machine: leadPanelMachine,
    model: leadPanelModel,
    show: ({ service }, options) => panelOver({ fetchPanel: service(), watchLead: listening }, options),
    gestures: {
      "reading.refresh": () => emit({ type: "reading.refresh" }),
      "lead.changed": () => emit({ type: "lead.changed" }),
      "list.reload": () => emit({ type: "list.reload" }),
    },
    see: seePanel,
  });

  it("shows stage, next step, notes and history", async () => {
    const panel = panelOf(detailNumber(1, { notes: "Likes blue", followup_order_sent: 1 }));
    render(panelOver({ fetchPanel: fromPromise(async () => panel) }));
    expect(await screen.findByText("Became a lead in Initial Contact")).not.toBe(null);
    expect(screen.getByRole("heading", { name: /Next step/ }).textContent).toEqual("Next step 1/2");
    expect(screen.getByText("Shall we talk?")).not.toBe(null);
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" }).value).toEqual("Likes blue");
    expect(button("Edit stage")).not.toBe(null);
  });
});

describe("the story", () => {
  walkEveryView({
    machine: storyMachine,
    model: storyModel,
    show: ({ service }, options) => (
      <Story.Provider
        logic={storyMachine.provide({
          actors: { fetchNewest: service(), fetchOlder: service(), watchStory: listening as never },
        })}
        options={{ ...options, input }}
      >
        <StoryList stages={twoStages} />
      </Story.Provider>
    ),
    gestures: {
      "reading.retry": press(() => screen.queryAllByRole("button", { name: "Try again" })[0] ?? null),
      "reading.refresh": () => emit({ type: "reading.refresh" }),
      "story.changed": () => emit({ type: "story.changed" }),
      "older.load": press(() => button("Show older") ?? button("Load older again")),
    },
    see: seeStory,
  });
});
