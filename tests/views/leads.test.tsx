import { readFileSync } from "node:fs";
import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import type { Field } from "../../domain/field.ts";
import type { Lead } from "../../domain/lead.ts";
import { type CatalogItem, Fields, Tags } from "../../src/machines/catalog/catalog.machine.ts";
import { type ListPlace, searchOf } from "../../src/machines/leads/leads.address.ts";
import { type LeadsRequest, NO_FILTERS } from "../../src/machines/leads/leads.filters.ts";
import { Leads, createLeads } from "../../src/machines/leads/leads.machine.ts";
import type { WideColumn } from "../../src/machines/leads/leads.options.ts";
import { OfflineContext } from "../../src/ui/LoadError.tsx";
import { MoreFilters } from "../../src/views/lead-tools/MoreFilters.tsx";
import { LeadsView, type LeadsViewProps } from "../../src/views/leads/LeadsView.tsx";
import { budget, catalogModel } from "../machines/catalog.model.ts";
import { leadsModel } from "../machines/leads.model.ts";
import { leadNumber, leadsUpTo, rowWrites, twoStages } from "../support/leads.ts";
import { fill, over, press, removePartOfDate, seen, setPartialDate, toChart } from "../support/screen.ts";
import { fakePage } from "../support/page.ts";
import { answering } from "../support/model.ts";
import { pendingServices } from "../support/walk-machine.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const column = (name: string) => screen.getByRole("columnheader", { name });
const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

const screenModel = {
  ...leadsModel,
  allow: (state: AnyMachineSnapshot, event: { type: string }) =>
    !/^list\.reload$|^more\.change$|error\.actor\.watch/.test(event.type) && (leadsModel.allow?.(state, event) ?? true),
};

const nowhere = { filters: NO_FILTERS, page: 1 };
// Queries by role take a tenth of a second over fifty rows; the walk does not need them.
const byName = (name: string | RegExp) => () =>
  ([...document.querySelectorAll("button:not(tbody button)")].find((button) => {
    const own = button.getAttribute("aria-label") ?? button.textContent;
    return typeof name === "string" ? own === name : name.test(own);
  }) as HTMLElement | undefined) ?? null;
const filter = (name: string) => {
  const head = document.querySelector("thead");
  return head && within(head).queryByRole<HTMLInputElement>("textbox", { name });
};
const firstNotes = () => document.querySelector("tbody textarea");

const plain: LeadsViewProps = { onTools() {}, renderTools: null, columns: [], extras: null, onNextNear() {} };

walkEveryView({
  model: screenModel,
  outOfReach: {
    "leads.list | more.change | 0": "the tools over the list say it, which are not part of it",
    "leads.list | list.reload | 0": "a row says it, which has a chart and a walk of its own",
    "leads.list | xstate.error.actor.watchAddress | 0": "the walk's own address never fails",
    "leads.news | xstate.error.actor.watchLeads | 0": "the walk's own news never fail",
  },
  show: over(Leads, <LeadsView {...plain} />, nowhere),
  gestures: {
    "filter.change": fill(
      (event) => filter("name" in (event["change"] as object) ? "Name" : "From"),
      (event) => Object.values(event["change"] as Record<string, string>)[0] ?? "",
    ),
    "filter.clear": press((event) =>
      byName((event["fields"] as string[]).includes("name") ? "Clear Name" : "Clear Date")(),
    ),
    "filters.apply": press(byName("Apply Filters")),
    "filters.clear": press(byName("Clear All")),
    "list.refresh": press(byName("Refresh")),
    "reading.retry": press(byName("Try again")),
    "page.next": press(byName("Next →")),
    "page.previous": press(byName("← Prev")),
    "arrivals.show": press(byName(/new, refresh$/)),
    // The list has no control for this: the first focus in a row starts its chart, which handles every later one.
    "row.touch": () => fireEvent.focus(firstNotes() as HTMLElement),
    "lead.changed": toChart,
    "address.changed": toChart,
  },
  see(state) {
    const isLoading = state.hasTag("loading");
    expect(seen("Loading leads...")).toEqual(isLoading);
    const failure = screen.queryByText(/^Could not fetch leads, stages or followups\. Check your login or backend\./);
    expect(failure !== null).toEqual(state.hasTag("loadFailed") || state.hasTag("outdated"));
    expect(document.querySelector("table") === null).toEqual(state.hasTag("loadFailed"));
    if (state.hasTag("loadFailed")) return;
    expect(filter("Name")?.value).toEqual(state.context.draft.name);
    expect(filter("From")?.getAttribute("aria-invalid")).toEqual(state.context.areDatesRefused ? "true" : null);
    const pages = Math.max(1, Math.ceil(state.context.total / 50));
    // The page number of the shown rows, while another page may be loading.
    const { shown } = state.context;
    expect(screen.queryByText(/^Page \d/)?.textContent).toEqual(shown ? `Page ${shown.page} of ${pages}` : undefined);
    expect(seen(`${state.context.arrived} new, refresh`)).toEqual(state.context.arrived > 0);
  },
});

it("leaves a failed read to the page's notice while offline", async () => {
  const services = pendingServices();
  const logic = leadsModel.provide(services);
  const list = (isOffline: boolean) => (
    <OfflineContext value={isOffline}>
      <Leads.Provider logic={logic} options={{ input: nowhere }}>
        <LeadsView {...plain} />
      </Leads.Provider>
    </OfflineContext>
  );
  const failure = () => screen.queryByText(/^Could not fetch leads/);
  const { rerender } = render(list(false));
  await act(async () => services.settle("fetchBoard").reject(new Error("offline")));
  expect(failure()).not.toBe(null);
  rerender(list(true));
  expect(failure()).toBe(null);
});

async function showList(
  leads: Lead[],
  total = leads.length,
  {
    place = nowhere,
    columns = [],
    renderTools = null,
  }: { place?: ListPlace; columns?: WideColumn[]; renderTools?: LeadsViewProps["renderTools"] } = {},
) {
  const requests: LeadsRequest[] = [];
  const ahead: LeadsRequest[] = [];
  const logic = createLeads(fakePage(), {
    leads: {
      ...rowWrites(),
      list: async (request) => {
        requests.push(request);
        return { leads, total };
      },
      read: async () => null,
    },
    listStages: async () => twoStages,
    listFollowups: async () => [
      { stage_id: "stage-1", followup_order: 0, message: "Here are our prices." },
      { stage_id: "stage-1", followup_order: 1, message: "Shall we talk?" },
    ],
    address: { read: () => searchOf(place), write: () => {}, correct: () => {}, subscribe: () => () => {} },
  });
  render(
    over(
      Leads,
      <LeadsView
        {...plain}
        columns={columns}
        renderTools={renderTools}
        onNextNear={(request) => ahead.push(request)}
      />,
      place,
    )(logic),
  );
  await act(async () => {});
  return { requests, ahead, user: userEvent.setup({ delay: null }) };
}

describe("the leads table", () => {
  it("shows its column names and a lead", async () => {
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
      "5 March 2026 12:00",
      "Ada Lovelace",
      "ada",
      "Initial Contact",
      "1/2",
      "Yes",
      "Asked for a price",
      "Send Follow-UpNext: Shall we talk?",
    ]);
    expect(screen.getByText("5 March 2026")).not.toEqual(null);
    expect(screen.getByText("1 lead")).not.toEqual(null);
  });

  it("shows a filter with a clear button in each column's head", async () => {
    await showList([leadNumber(1)]);
    const filters = (name: string) => [...column(name).querySelectorAll<HTMLInputElement>("input, select")];
    const options = (name: string) =>
      within(column(name))
        .getAllByRole("option")
        .map((option) => option.textContent);
    expect(options("Stage")).toEqual(["All", "Initial Contact", "Interested"]);
    expect(options("Awaiting Reply")).toEqual(["All", "Yes", "No"]);
    expect(filters("Follow-ups")[0]?.placeholder).toEqual("#");
    for (const name of ["Date", "Name", "Username", "Stage", "Follow-ups", "Awaiting Reply"]) {
      expect(within(column(name)).getByRole("button", { name: `Clear ${name}` })).not.toEqual(null);
      expect([name, filters(name).length]).toEqual([name, name === "Date" ? 2 : 1]);
    }
    expect(filters("Notes")).toEqual([]);
  });

  it("shows last message and waiting time if there is room", async () => {
    const at = new Date(Date.now() - 12.5 * 60_000).toISOString();
    const lastMessage = (text: string, direction: "in" | "out", kind: "text" | "voice" = "text") =>
      ({ text, direction, kind, at }) as const;
    const leads = [
      leadNumber(1, { last_message_at: at, waiting_since: at, last_message: lastMessage("What is the price?", "in") }),
      leadNumber(2, { last_message_at: at, waiting_since: null, last_message: lastMessage("", "out", "voice") }),
      leadNumber(3, { last_message_at: at }),
      leadNumber(4),
    ];
    await showList(leads, 4, { columns: ["last_message_at", "waiting_since"] });
    expect(screen.getAllByRole("columnheader").map((head) => head.getAttribute("data-column"))).toEqual(
      "date name username stage followups awaiting_reply notes last_message_at waiting_since actions".split(" "),
    );
    const cells = (label: string) =>
      [...document.querySelectorAll(`td[data-label="${label}"]`)].map(({ textContent }) => textContent);
    const time = document.querySelector("time")?.textContent ?? "";
    expect(cells("Last message")).toEqual([
      `${time} What is the price?`,
      `${time} You: Voice message`,
      `${time} `,
      "-",
    ]);
    expect(cells("Waiting for you")).toEqual(["waiting 12\u00a0min", "-", "-", "-"]);
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
    await user.type(field("Name"), "love");
    expect([requests.length, button("Filters").getAttribute("aria-expanded")]).toEqual([1, "false"]);
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
    // With cards, one button opens the filters and shows how many are active.
    await user.click(button("Filters (6)"));
    expect(button("Filters (6)").getAttribute("aria-expanded")).toEqual("true");
    expect(screen.getAllByRole("button", { name: "Apply Filters" })).toHaveLength(2);
    await user.click(button("Clear All"));
    expect(button("Filters")).not.toEqual(null);
  });

  it("filters by a range of amounts, written as in the page's language", async () => {
    const catalog = (...items: CatalogItem[]) => answering(catalogModel.machine, { listItems: () => items });
    const { requests } = await showList(leadsUpTo(1), 1, {
      renderTools: () => (
        <Tags.Provider logic={catalog()}>
          <Fields.Provider logic={catalog(budget)}>
            <MoreFilters />
          </Fields.Provider>
        </Tags.Provider>
      ),
    });
    const fillIn = async (label: string, value: string) =>
      fireEvent.change(await screen.findByLabelText(label), { target: { value } });
    const apply = () => act(async () => button("Apply").click());
    await fillIn("Budget from", "2,000");
    await fillIn("Budget to", "1,5");
    await apply();
    expect(seen("Must not be less than 2,000.")).toEqual(true);
    for (const text of ["12e", "0x10", "1..2"]) {
      await fillIn("Budget to", text);
      await apply();
      expect([seen("Must be a number, such as 1250.5."), requests.length]).toEqual([true, 1]);
    }
    // The first characters of `-.5` are no number yet.
    await fillIn("Budget to", "");
    await fillIn("Budget from", "-.");
    expect(["from", "to"].map((end) => field(`Budget ${end}`).value)).toEqual(["-.", ""]);
    await fillIn("Budget from", "0,75");
    await fillIn("Budget to", "1,500.");
    await apply();
    expect(requests.at(-1)).toMatchObject({ "field.2": "0.75..1500" });
  });

  it("refuses a range with a partial date", async () => {
    const due: Field = { ...budget, name: "Due", type: "date" };
    const { requests } = await showList(leadsUpTo(1), 1, {
      renderTools: () => (
        <Tags.Provider logic={answering(catalogModel.machine, { listItems: () => [] })}>
          <Fields.Provider logic={answering(catalogModel.machine, { listItems: () => [due] })}>
            <MoreFilters />
          </Fields.Provider>
        </Tags.Provider>
      ),
    });
    fireEvent.change(await screen.findByLabelText("Due from"), { target: { value: "2026-03-01" } });
    fireEvent.change(await screen.findByLabelText("Due to"), { target: { value: "2026-03-05" } });
    for (const end of ["from", "to"]) {
      removePartOfDate(screen.getByLabelText(`Due ${end}`));
      await act(async () => button("Apply").click());
      expect([end, seen("Enter the whole date."), requests.length]).toEqual([end, true, 1]);
      setPartialDate(screen.getByLabelText(`Due ${end}`), false);
      fireEvent.change(screen.getByLabelText(`Due ${end}`), { target: { value: "2026-03-05" } });
    }
    await act(async () => button("Apply").click());
    expect(requests.at(-1)).toMatchObject({ "field.2": "2026-03-05..2026-03-05" });
  });

  it("says what to do when there are no leads", async () => {
    const place = { ...nowhere, filters: { ...nowhere.filters, stageId: "gone" } };
    const { user } = await showList([], 0, { place });
    for (const text of ["No leads found for selected filters.", "Page 1 of 1"])
      expect(screen.getByText(text)).not.toEqual(null);
    // A saved view may filter by a stage that was deleted.
    const notice = () => seen(/The stage of this view was deleted/);
    const stage = screen.getAllByRole<HTMLSelectElement>("combobox", { name: "Stage" })[0] as HTMLSelectElement;
    expect([notice(), stage.selectedOptions[0]?.textContent]).toEqual([true, "Deleted stage"]);
    await user.selectOptions(stage, "Interested");
    expect(within(stage).queryByText("Deleted stage")).toEqual(null);
    await user.click(button("Apply Filters"));
    expect(notice()).toEqual(false);
  });

  it("counts the pages of 100,000 leads", async () => {
    const scrolledTo: unknown[] = [];
    vi.stubGlobal("scrollTo", (...place: unknown[]) => scrolledTo.push(place));
    const { user } = await showList(leadsUpTo(50), 100_000);
    expect([screen.getByText("Page 1 of 2000"), scrolledTo]).toEqual([expect.anything(), []]);
    await user.click(button("Next →"));
    // A new page starts at its top, with the focus before the first row.
    expect([screen.getByText("Page 2 of 2000"), scrolledTo]).toEqual([expect.anything(), [[0, 0]]]);
    expect(document.activeElement).toBe(screen.getByRole("group", { name: "Leads" }));
    // The first letter in a filter returns to page 1 and keeps the focus.
    await user.type(field("Name"), "ada");
    expect(screen.getByText("Page 1 of 2000")).not.toEqual(null);
    expect([field("Name").value, document.activeElement]).toEqual(["ada", field("Name")]);
    vi.unstubAllGlobals();
  });

  it("prefetches the next page on hover or focus of its button", async () => {
    const { ahead, requests, user } = await showList(leadsUpTo(50), 120);
    await user.hover(button("Next →"));
    expect(ahead).toEqual([{ limit: 50, offset: 50 }]);
    act(() => button("Next →").focus());
    expect(ahead).toHaveLength(2);
    await user.keyboard("{Enter}");
    expect(requests.at(-1)).toEqual({ limit: 50, offset: 50 });
    await user.click(button("Next →"));
    expect([screen.getByText("Page 3 of 3"), button("Next →").disabled]).toEqual([expect.anything(), true]);
    ahead.length = 0;
    await user.hover(button("Next →"));
    expect(ahead).toEqual([]);
  });

  it("lays out rows below the window in later frames, or at once when scrolled", async () => {
    const frames: (() => void)[] = [];
    const styles = readFileSync("src/views/leads/LeadsTable.module.css", "utf8");
    vi.stubGlobal("innerHeight", 800);
    vi.stubGlobal("requestAnimationFrame", (draw: () => void) => frames.push(draw));
    const laid = () => document.querySelector("tbody")?.getAttribute("data-laid");
    const { user } = await showList(leadsUpTo(50), 120);
    expect(laid()).toEqual("14");
    while (laid() !== "all") {
      const before = laid();
      expect(styles).toContain(`.body[data-laid="${before}"] > .row:nth-child(n + ${Number(before) + 1})`);
      frames.pop()?.();
      await vi.waitFor(() => expect(laid()).not.toEqual(before));
    }
    await user.click(button("Next →"));
    expect(laid()).toEqual("14");
    vi.stubGlobal("scrollY", 400);
    frames.pop()?.();
    expect(laid()).toEqual("all");
    await user.click(button("Refresh"));
    expect(laid()).toEqual("all");
    await user.type(field("Name"), "ada");
    frames.pop()?.();
    expect(laid()).toEqual("all");
    await user.click(button("Apply Filters"));
    expect(laid()).toEqual("14");
    vi.unstubAllGlobals();
  });

  it("hides no row when the window grows before the first response", async () => {
    const height = Object.getOwnPropertyDescriptor(window, "innerHeight") as PropertyDescriptor;
    const get = () => (document.querySelector("tbody a") === null ? 800 : 3_000);
    Object.defineProperty(window, "innerHeight", { configurable: true, get });
    await showList(leadsUpTo(50), 120);
    expect(document.querySelector("tbody")?.getAttribute("data-laid")).toEqual(null);
    Object.defineProperty(window, "innerHeight", height);
  });

  it("picks a range of days from its calendar by keyboard", async () => {
    await import("../../src/ui/RangeCalendar.tsx"); // preloads the code that opening the calendar would load
    const { user } = await showList([leadNumber(1)]);
    fireEvent.change(field("From"), { target: { value: "03/05/2026" } });
    await user.click(button("Open calendar"));
    const calendar = await screen.findByRole("dialog", { name: "Dates" });
    expect(within(calendar).getByRole("heading", { level: 2 }).textContent).toEqual("Dates, March 2026");
    // After the first day is chosen, the calendar moves to the next day automatically.
    await user.keyboard("{Enter}{ArrowRight}{Enter}");
    expect([field("From").value, field("To").value]).toEqual(["03/05/2026", "03/07/2026"]);
    expect(screen.queryByRole("dialog")).toEqual(null);
  });
});
