import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { AutomationHold } from "../../src/machines/automation-hold/automation-hold.machine.ts";
import { LeadPanel } from "../../src/machines/lead-panel/lead-panel.machine.ts";
import { Story } from "../../src/machines/story/story.machine.ts";
import { LeadPanelView } from "../../src/views/lead-panel/LeadPanelView.tsx";
import { StoryList } from "../../src/views/lead-panel/StoryList.tsx";
import { automationHoldModel, scheduled } from "../machines/automation-hold.model.ts";
import { detailNumber, leadPanelModel, panelOf } from "../machines/lead-panel.model.ts";
import { happened, storyModel } from "../machines/story.model.ts";
import { button, over, press, seen, toChart } from "../support/screen.ts";
import { twoStages } from "../support/leads.ts";
import { answering } from "../support/model.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const quietStory = answering(storyModel.machine, {
  fetchNewest: () => ({ items: [happened(1, { type: "entered", to: "stage-1" })], next: null }),
});

/** A server without automation data. */
const quietHold = answering(automationHoldModel.machine, { readAutomation: () => null });

const input = { leadId: "lead-1" };
const panelOver = (logic = leadPanelModel.machine, options: object = {}, hold = quietHold) => (
  <LeadPanel.Provider logic={logic} options={{ ...options, input }}>
    <Story.Provider logic={quietStory} options={{ input }}>
      <AutomationHold.Provider logic={hold} options={{ input }}>
        <LeadPanelView renderTagsAndFields={() => null} />
      </AutomationHold.Provider>
    </Story.Provider>
  </LeadPanel.Provider>
);

describe("the panel", () => {
  walkEveryView({
    model: leadPanelModel,
    show: (logic, options) => panelOver(logic, options),
    gestures: { "lead.changed": toChart, "list.reload": toChart },
    see(state) {
      const { panel } = state.context;
      expect(seen("The lead could not be read.")).toEqual(state.value === "loadFailed");
      expect(seen("Loading the lead…")).toEqual(state.matches("loading") && panel === null);
      const isKnown = !state.matches("loadFailed") && panel !== null && panel.lead !== null;
      expect(screen.queryByRole("heading", { name: "Lead 1" }) !== null).toEqual(isKnown);
      expect(button("Send now") !== null).toEqual(isKnown);
      expect(seen(/What you see is from before/)).toEqual(state.matches({ shown: "outdated" }));
    },
  });

  it("shows stage, next step, notes and history", async () => {
    const panel = panelOf(detailNumber(1, { notes: "Likes blue", followup_order_sent: 1 }));
    render(panelOver(answering(leadPanelModel.machine, { fetchPanel: () => panel })));
    expect(await screen.findByText("Became a lead in Initial Contact")).not.toBe(null);
    expect(screen.getByRole("heading", { name: /Next step/ }).textContent).toEqual("Next step 1/2");
    expect(screen.getByText("Shall we talk?")).not.toBe(null);
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" }).value).toEqual("Likes blue");
    expect(button("Edit stage")).not.toBe(null);
  });
});

const LONG = "Shall we talk? ".repeat(20).trim();
it.each([
  [LONG, LONG.slice(0, 200), LONG, "in full, if the server's beginning is of it"],
  [LONG, "", LONG, "also without one"],
  [LONG, "A newer step", "A newer step", "as far as the server tells, if it is another one"],
  ["Shall we talk?", "Shall we", "Shall we", "as far as the server tells, if it was shortened"],
])("shows the step %j whose beginning is %j as %j: %s", async (message, preview, shown) => {
  const panel = { ...panelOf(detailNumber(1)), steps: { "stage-1": [message] } };
  const automation = { ...scheduled, step: { id: "step-2", order: 1, preview } };
  render(
    panelOver(
      answering(leadPanelModel.machine, { fetchPanel: () => panel }),
      {},
      answering(automationHoldModel.machine, { readAutomation: () => automation }),
    ),
  );
  expect((await screen.findByRole("blockquote")).textContent).toEqual(shown);
});

describe("the story", () => {
  it("shows a move in the page's direction, whatever the names of the stages", async () => {
    const move = happened(1, { type: "stage_moved", from: "stage-1", to: "stage-2" });
    const moved = answering(storyModel.machine, { fetchNewest: () => ({ items: [move], next: null }) });
    render(
      <Story.Provider logic={moved} options={{ input }}>
        <StoryList stages={twoStages} />
      </Story.Provider>,
    );
    expect((await screen.findByText(/→/)).closest("[dir]")?.tagName).toEqual("HTML");
  });

  walkEveryView({
    model: storyModel,
    show: over(Story, <StoryList stages={twoStages} />),
    gestures: {
      "reading.retry": press(() => screen.queryAllByRole("button", { name: "Try again" })[0] ?? null),
      "story.changed": toChart,
      "older.load": press(() => button("Show older") ?? button("Load older again")),
    },
    see(state) {
      const isShown = state.matches({ newest: "shown" });
      expect(screen.queryAllByRole("listitem")).toHaveLength(isShown ? state.context.items.length : 0);
      expect(seen("Older parts could not be read.")).toEqual(isShown && state.matches({ older: "failed" }));
    },
  });
});
