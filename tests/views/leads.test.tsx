import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { type AnyMachineSnapshot, fromCallback } from "xstate";
import type { Lead } from "../../domain/lead.ts";
import type { LeadRowDeps } from "../../src/machines/lead-row/index.ts";
import { type LeadsRequest, LeadsProvider, createLeads, leadsMachine } from "../../src/machines/leads/index.ts";
import { LeadsView } from "../../src/views/leads/LeadsView.tsx";
import { leadsModel } from "../machines/leads.model.ts";
import { leadNumber, leadsUpTo, twoStages } from "../support/leads.ts";
import { coveringPaths, walkEveryView } from "../support/walk-view.tsx";

// Fifty rows take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const never = () => new Promise<never>(() => {});
const idleRows: Omit<LeadRowDeps, "reloadList"> = {
  leads: { saveNotes: never, changeStage: never, sendFollowup: never },
  notifier: { toast: () => {}, alert: never },
  logger: { warn: () => {} },
};

const column = (name: string) => screen.getByRole("columnheader", { name });
const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

let changeLead = () => {};
const screenModel = {
  ...leadsModel,
  allow: (state: AnyMachineSnapshot, event: { type: string; fields?: string[] }) => {
    if (event.type === "list.reload" || event.type === "xstate.error.actor.watchLeads") return false;
    const isOfTable = /^filter\.|^page\./.test(event.type) || state.context.draft.from !== "";
    return !(state.matches({ list: "failed" }) && isOfTable) && (leadsModel.allow?.(state, event) ?? true);
  },
};

const see = (state: AnyMachineSnapshot) => {
  const isLoading = state.hasTag("loading");
  expect(screen.queryByText("Loading leads...") !== null).toEqual(isLoading);
  const failure = screen.queryByText("Could not fetch leads, stages or followups. Check your login or backend.");
  expect(failure !== null).toEqual(state.matches({ list: "failed" }));
  expect(screen.queryByRole("table") === null).toEqual(state.matches({ list: "failed" }));
  if (failure) return;
  expect(field("Name").value).toEqual(state.context.draft.name);
  expect(field("From").getAttribute("aria-invalid")).toEqual(state.context.areDatesRefused ? "true" : null);
  const pages = Math.max(1, Math.ceil(state.context.total / 50));
  expect(screen.queryByText(`Page ${state.context.page} of ${pages}`)).not.toEqual(null);
  expect(button("Next →").disabled).toEqual(!state.can({ type: "page.next" }));
  expect(button("← Prev").disabled).toEqual(!state.can({ type: "page.previous" }));
  expect(screen.queryByText(`${state.context.arrived} new, refresh`) !== null).toEqual(state.context.arrived > 0);
};

walkEveryView({
  machine: leadsMachine,
  model: screenModel,
  paths: await coveringPaths(leadsMachine, screenModel),
  outOfReach: ["leads.list | list.reload | 0", "leads.arrivals | xstate.error.actor.watchLeads | 0"],
  show: ({ service }, options) => {
    const logic = leadsMachine.provide({
      actors: {
        fetchBoard: service("fetchBoard"),
        fetchPage: service("fetchPage"),
        countLeads: service("countLeads"),
        watchLeads: fromCallback(({ sendBack }) => {
          changeLead = () => sendBack({ type: "lead.changed" });
        }),
      },
    });
    return (
      <LeadsProvider logic={logic} options={options}>
        <LeadsView rowDeps={idleRows} />
      </LeadsProvider>
    );
  },
  gestures: {
    "filter.change": ({ change }) => {
      const [name, value] = Object.entries(change as Record<string, string>)[0] ?? ["", ""];
      fireEvent.change(field({ name: "Name", from: "From" }[name] ?? ""), { target: { value } });
    },
    "filter.clear": ({ fields }) =>
      fireEvent.click(button((fields as string[]).includes("name") ? "Clear Name" : "Clear Date")),
    "filters.apply": () => fireEvent.click(button("Apply Filters")),
    "filters.clear": () => fireEvent.click(button("Clear All")),
    "list.refresh": () => fireEvent.click(button("Refresh")),
    "page.next": () => fireEvent.click(button("Next →")),
    "page.previous": () => fireEvent.click(button("← Prev")),
    "lead.changed": () => changeLead(),
  },
  see,
});

async function showList(leads: Lead[], total = leads.length) {
  const requests: LeadsRequest[] = [];
  const logic = createLeads({
    leads: {
      list: async (request) => {
        requests.push(request);
        return { leads, total };
      },
      listStages: async () => twoStages,
      listFollowups: async () => [{ stage_id: "stage-1" }, { stage_id: "stage-1" }],
    },
    events: { subscribe: () => () => {} },
    logger: { warn: () => {} },
  });
  render(
    <LeadsProvider logic={logic}>
      <LeadsView rowDeps={idleRows} />
    </LeadsProvider>,
  );
  await act(async () => {});
  return { requests, user: userEvent.setup({ delay: null }) };
}

describe("the leads table", () => {
  it("heads its columns as they are called and shows a lead in them", async () => {
    const lead = leadNumber(1, {
      name: "Ada Lovelace",
      username: "ada",
      stage_id: "stage-1",
      notes: "Asked for a price",
      created_at: new Date(2026, 2, 5, 12).toISOString(),
      followup_order_sent: 1,
      last_message_at: "2026-03-05T12:00:01Z",
      last_user_message_at: "2026-03-05T12:00:00Z",
    });
    await showList([lead]);
    expect(
      screen.getAllByRole("columnheader").map((head) => within(head).queryAllByText(/^[A-Z]/)[0]?.textContent),
    ).toEqual(["Date", "Name", "Username", "Stage", "Follow-ups", "Awaiting Reply", "Notes", "Actions"]);
    const [, row] = screen.getAllByRole("row");
    const cells = within(row as HTMLElement).getAllByRole("cell");
    expect(cells.map((cell) => cell.textContent)).toEqual([
      "5 March 2026",
      "Ada Lovelace",
      "ada",
      "Initial Contact",
      "1/2",
      "Yes",
      "Asked for a price",
      "Send Follow-Up",
    ]);
    expect(screen.getByText("1 lead")).not.toEqual(null);
  });

  it("keeps its filters in the heads of their columns, each with a way to clear it", async () => {
    await showList([leadNumber(1)]);
    const controls = (name: string) =>
      within(column(name))
        .queryAllByRole(/textbox|spinbutton|combobox|button/ as never)
        .map((control) => control.getAttribute("aria-label") ?? control.tagName);
    expect(within(column("Date")).getAllByRole("textbox")).toHaveLength(2);
    for (const name of ["Name", "Username"]) expect(within(column(name)).getAllByRole("textbox")).toHaveLength(1);
    expect(within(column("Follow-ups")).getByRole<HTMLInputElement>("spinbutton").placeholder).toEqual("#");
    const options = (name: string) =>
      within(column(name))
        .getAllByRole("option")
        .map((option) => option.textContent);
    expect(options("Stage")).toEqual(["All", "Initial Contact", "Interested"]);
    expect(options("Awaiting Reply")).toEqual(["All", "Yes", "No"]);
    for (const name of ["Date", "Name", "Username", "Stage", "Follow-ups", "Awaiting Reply"]) {
      expect(within(column(name)).getByRole("button", { name: `Clear ${name}` })).not.toEqual(null);
    }
    expect(controls("Notes")).toEqual([]);
  });

  it("sends every filter at once when they are applied", async () => {
    const { requests, user } = await showList(leadsUpTo(50), 120);
    await user.type(field("From"), "03/01/2026");
    await user.click(field("To"));
    await user.paste("03/05/2026");
    await user.type(field("Username"), "ada");
    await user.selectOptions(screen.getAllByRole("combobox", { name: "Stage" })[0] as HTMLElement, "Interested");
    await user.selectOptions(screen.getByRole("combobox", { name: "Awaiting Reply" }), "Yes");
    await user.type(screen.getByRole("spinbutton", { name: "Follow-ups" }), "2");
    expect(requests).toHaveLength(1);
    await user.type(field("Name"), "love");
    await user.click(button("Apply Filters"));
    expect(requests.slice(1)).toEqual([
      {
        limit: 50,
        offset: 0,
        name: "love",
        username: "ada",
        stage_id: "stage-2",
        followup_order_sent: "2",
        created_start: new Date(2026, 2, 1).toISOString(),
        created_end: new Date(2026, 2, 5, 23, 59, 59, 999).toISOString(),
        awaiting_reply: "true",
      },
    ]);
  });

  it("says what to do when there is nobody", async () => {
    await showList([]);
    expect(screen.getByText("No leads found for selected filters.")).not.toEqual(null);
    expect(screen.getByText("Page 1 of 1")).not.toEqual(null);
  });

  it("counts the pages of 100,000 leads", async () => {
    const { user } = await showList(leadsUpTo(50), 100_000);
    expect(screen.getByText("Page 1 of 2000")).not.toEqual(null);
    await user.click(button("Next →"));
    expect(screen.getByText("Page 2 of 2000")).not.toEqual(null);
  });

  it("picks a range of days from its calendar by keyboard", async () => {
    await import("../../src/ui/RangeCalendar.tsx"); // so that opening it waits for no file
    const { user } = await showList([leadNumber(1)]);
    fireEvent.change(field("From"), { target: { value: "03/05/2026" } });
    await user.click(button("Open calendar"));
    const calendar = await screen.findByRole("dialog", { name: "Dates" });
    expect(within(calendar).getByRole("heading", { level: 2 }).textContent).toEqual("Dates, March 2026");
    // Once the first day is chosen the calendar moves on to the next by itself.
    await user.keyboard("{Enter}{ArrowRight}{Enter}");
    expect([field("From").value, field("To").value]).toEqual(["03/05/2026", "03/07/2026"]);
    expect(screen.queryByRole("dialog")).toEqual(null);
  });
});
