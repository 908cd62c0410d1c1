import { NO_FILTERS } from "../../src/machines/leads/leads.filters.ts";
import { createLeads } from "../../src/machines/leads/leads.machine.ts";
import { leadNumber, leadsUpTo, rowWrites, twoStages, twoSteps } from "../support/leads.ts";
import { done, failed, modelOf, notCalled } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const leadsMachine = createLeads(fakePage(), {
  leads: { ...rowWrites(), list: notCalled, read: notCalled },
  address: { read: () => "", write: () => {}, correct: () => {}, subscribe: () => () => {} },
});

const fullPage = { leads: leadsUpTo(50), total: 120, drafts: {} };
const nothing = { leads: [], total: 60, drafts: {} };
const board = { stages: twoStages, steps: twoSteps };
const news = (load: number) => ({
  leads: [leadNumber(1, { name: "Renamed" })],
  gone: [],
  following: [],
  drafts: {},
  total: 120,
  arrived: 2,
  board: null,
  load,
});

export const leadsModel = modelOf(leadsMachine, {
  input: { filters: NO_FILTERS, page: 1 },
  events: [
    { type: "row.touch", leadId: "lead-1" },
    { type: "filter.change", change: { name: "ada" } },
    { type: "filter.change", change: { from: "13/45/2026" } },
    { type: "more.change", more: "q=price" },
    { type: "filter.clear", fields: ["name"] },
    { type: "filter.clear", fields: ["from", "to"] },
    ...done("fetchBoard", { board, page: fullPage }),
    ...done("fetchPage", fullPage),
    ...done("fetchBoard", { board, page: nothing }),
    ...done("fetchPage", nothing),
    { type: "address.changed", place: { filters: NO_FILTERS, page: 1 } },
    { type: "address.changed", place: { filters: { ...NO_FILTERS, name: "ada" }, page: 2 } },
    { type: "lead.changed", id: "lead-1" },
    { type: "lead.changed", id: null },
    ...done("readNews", news(2), news(0)),
    ...failed("watchLeads", new Error("no stream")),
    ...failed("watchAddress", new Error("no address")),
  ],
  delays: { newsPause: 1_000, newsRetry: 10_000 },
  project: ({ value, context }) => [
    value,
    context.page > 1,
    context.board !== null,
    context.shown?.page === context.page && context.shown.filters.name === context.applied.name,
    context.applied.name,
    context.draft.name,
    context.draft.from,
    context.areDatesRefused,
    context.arrived > 0,
    context.touched.length,
    context.changed.ids.length > 0 || context.changed.isAny,
    context.loadCount === 2,
  ],
  // Each region is walked while the other is idle. Together, filters, pages, news and touched rows have 2,592 states and 52,632 paths over
  // fifty leads each, too many for a test run.
  allow: ({ context, ...snapshot }, event) => {
    const { page, draft, applied, loadCount } = context;
    const isSettled = snapshot.matches({ list: { table: "shown" } }) && page === 1 && draft === applied;
    // A news event that waits until the list is loaded again.
    if (snapshot.matches({ news: "gathering" }) && context.touched.length === 0) {
      if (event.type === "list.refresh") return isSettled && loadCount === 2;
      if (event.type.includes("newsPause") && loadCount === 3) return true;
    }
    // The page is back after a failed read.
    if (event.type === "lead.changed" && event["id"] === null && snapshot.matches({ news: "quiet" }))
      if (snapshot.matches({ list: "loadFailed" }) || snapshot.matches({ list: { table: "outdated" } }))
        return page === 1 && context.touched.length === 0;
    if (/^lead\.changed|news|watch/i.test(event.type)) return isSettled && loadCount === 2;
    if (event.type === "more.change") return isSettled && applied.more === "";
    if (event.type === "row.touch") return isSettled && loadCount === 2 && context.touched.length === 0;
    if (event.type === "arrivals.show") return true;
    if (!snapshot.matches({ news: "quiet" }) || context.arrived > 0) return false;
    if (context.touched.length > 0) return /fetch|page\.next|refresh/.test(event.type) && loadCount < 4;
    // An empty page is one past the last.
    if (JSON.stringify(event["output"])?.includes('"leads":[]') && page === 1) return false;
    if (event.type === "address.changed") return isSettled;
    // A half-typed date matters only to the two ways of applying filters.
    if (draft.from !== "") return /^filters\.|^filter\.clear$/.test(event.type);
    return true;
  },
});
