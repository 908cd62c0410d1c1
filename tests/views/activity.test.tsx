import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { LedgerItem, LedgerPage } from "../../domain/ledger.ts";
import { type LedgerFilters, NO_FILTERS } from "../../src/machines/ledger/ledger.address.ts";
import { freshCount } from "../../src/machines/ledger/ledger.list.ts";
import { Ledger } from "../../src/machines/ledger/ledger.machine.ts";
import { hourText, momentText } from "../../src/language/format.ts";
import { ActivityView } from "../../src/views/activity/ActivityView.tsx";
import { ledgerModel, sendOf } from "../machines/ledger.model.ts";
import { answering } from "../support/model.ts";
import { button, createExternalActor, fill, over, press, retryButtonNextTo, seen, toChart } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const kind = () => screen.queryByRole<HTMLSelectElement>("combobox", { name: "Kind" });
walkEveryView({
  model: ledgerModel,
  show: over(Ledger, <ActivityView />, NO_FILTERS),
  gestures: {
    "filters.change": {
      // Choosing the current value is no change.
      control: () => (kind()?.value === "bulk" ? null : kind()),
      act: fill(kind, () => "bulk").act,
    },
    "filters.clear": press("Clear filters"),
    "older.load": press(() => retryButtonNextTo("Older messages could not be read.") ?? button("Older")),
    "fresh.show": press(/^Show .* new$/),
    "reading.retry": press(() => retryButtonNextTo(/^The messages could not be read/)),
    "news.changed": toChart,
    "address.changed": toChart,
  },
  see(state) {
    const { filters, items } = state.context;
    expect(kind()?.value).toEqual(filters.kind);
    expect(screen.queryByRole("status", { name: "Loading messages..." }) !== null).toEqual(state.hasTag("loading"));
    expect(seen("The messages could not be read.")).toEqual(state.hasTag("loadFailed"));
    expect(seen(/^The messages could not be read again/)).toEqual(state.hasTag("outdated"));
    const isListed = !state.hasTag("loading") && !state.hasTag("loadFailed");
    expect(screen.queryAllByRole("row")).toHaveLength(isListed && items.length > 0 ? items.length + 1 : 0);
    const fresh = freshCount(state.context);
    expect(seen("1 new message")).toEqual(isListed && fresh === 1);
    expect(seen("Older messages could not be read.")).toEqual(
      isListed && state.context.next !== null && state.matches({ older: "failed" }),
    );
  },
});

const [listening, emit] = createExternalActor();

async function showList(items: LedgerItem[], input: LedgerFilters = NO_FILTERS) {
  let page: LedgerPage = { items, next: null };
  const requests: LedgerFilters[] = [];
  const fetchLedger = ({ filters }: { filters: LedgerFilters }) => (requests.push(filters), page);
  const logic = answering(ledgerModel.machine, { fetchLedger }).provide({ actors: { watchNews: listening } });
  render(over(Ledger, <ActivityView />)(logic, { input }));
  await act(async () => {});
  const become = async (next: LedgerItem[]) => {
    page = { items: next, next: null };
    await act(async () => emit({ type: "news.changed" }));
  };
  return { requests, become };
}
const rows = () => screen.getAllByRole("row").slice(1);

const tenOhOne = hourText("2026-03-05T10:01:01.000Z");
const notBefore = `Not before ${hourText("2026-03-05T12:30:00.000Z")}`;
const notTried = { tried_at: null, settled_at: null, not_before: "2026-03-05T12:30:00.000Z" };

describe("a row of the activity", () => {
  it("shows the sorting time, with the outcome's time beside its state", async () => {
    await showList([
      sendOf(3, { planned_at: "2026-03-05T11:00:00.000Z", ...notTried, state: "pending" }),
      sendOf(2, { planned_at: "2026-03-05T10:30:00.000Z", settled_at: "2026-03-06T08:00:00.000Z" }),
      sendOf(1),
    ]);
    expect(screen.getByRole("columnheader", { name: "Planned" })).toBeTruthy();
    const timesIn = (cell: number) => rows().map((row) => row.querySelector(`td:nth-child(${cell}) time`)?.textContent);
    expect(timesIn(1)).toEqual(["11:00", "10:30", "10:00"].map((hour) => hourText(`2026-03-05T${hour}:00.000Z`)));
    expect(timesIn(5)).toEqual([notBefore, momentText("2026-03-06T08:00:00.000Z"), tenOhOne]);
    // States whose meaning is not obvious have an explanation.
    const terms = screen.getAllByRole("term");
    expect(terms.map((term) => [term.textContent, term.parentElement?.querySelector("dd")?.textContent])).toEqual([
      ["Perhaps sent", "Telegram’s answer was lost. Look in the chat before you send it again."],
      ["Withdrawn", "Cancelled before it was sent. Nothing went out."],
    ]);
  });

  it("shows time, kind, lead, text, outcome and number of attempts", async () => {
    await showList([
      sendOf(3, {
        state: "failed",
        words: "The server's English.",
        words_code: "failed_because",
        words_params: { reason: "USER_IS_BLOCKED" },
        attempts: 1_204,
      }),
      sendOf(2, {
        state: "would_send",
        words: "A sentence without a known code.",
        words_code: "of_a_newer_server",
        kind: "bulk",
        step: null,
        attempts: 0,
      }),
      sendOf(1, {
        lead: null,
        kind: "reminder",
        step: null,
        excerpt: null,
        state: "pending",
        words: "Waits until 5 March 2026, 14:05 UTC.",
        words_code: "waits_until",
        words_params: { until: "2026-03-05T14:05:00Z" },
        ...notTried,
      }),
    ]);
    const cellsOf = (row: HTMLElement) => within(row).getAllByRole("cell").slice(1);
    expect(rows().map((row) => cellsOf(row).map((cell) => cell.textContent))).toEqual([
      [
        "Follow-up",
        "Ann",
        "Step 1Hi Ann",
        `Not sent${tenOhOne}Not sent: this person blocked you.`,
        (1_204).toLocaleString("en-US"),
      ],
      ["Bulk message", "Ann", "Hi Ann", `Would be sent${tenOhOne}A sentence without a known code.`, "0"],
      ["Reminder", "—", "Without text", `Waiting${notBefore}Waits until ${momentText("2026-03-05T14:05:00Z")}.`, "1"],
    ]);
    expect(screen.getAllByRole("link", { name: "Ann" })[0]?.getAttribute("href")).toEqual("/leads/l1");
  });

  it("filters the list by its lead, and clears the filter", async () => {
    const { requests } = await showList([sendOf(1)]);
    await act(async () => button("Only messages to Ann")?.click());
    expect([requests.at(-1)?.leadId, button("Only messages to Ann")]).toEqual(["l1", null]);
    await act(async () => button("Only to Ann: show everybody")?.click());
    expect(requests.at(-1)).toEqual(NO_FILTERS);
  });
});

describe("the activity", () => {
  it("holds new rows back until the user asks, and then scrolls to the top", async () => {
    const scrollTo = vi.spyOn(window, "scrollTo").mockImplementation(() => {});
    const { become } = await showList([sendOf(1)]);
    await become([sendOf(3), sendOf(2), sendOf(1, { attempts: 9 })]);
    expect([rows().length, rows()[0]?.textContent?.endsWith("9")]).toEqual([1, true]);
    expect(screen.getByText("2 new messages").getAttribute("role")).toEqual("status");
    await act(async () => button("Show 2 new")?.click());
    expect([rows().length, document.activeElement?.getAttribute("aria-label")]).toEqual([3, "Messages"]);
    expect(scrollTo).toHaveBeenCalledWith(0, 0);
    scrollTo.mockRestore();
  });

  it("says what to do when the list is empty, and when nothing matches", async () => {
    await showList([]);
    expect(seen("No messages yet")).toEqual(true);
    expect(screen.getByRole("link", { name: "Write a follow-up" }).getAttribute("href")).toEqual("/followups");
    cleanup();
    await showList([], { ...NO_FILTERS, leadId: "l9" });
    for (const text of ["No message matches these filters", "one person"])
      expect([text, seen(text)]).toEqual([text, true]);
  });

  it("requests a range of days, and says why a reversed one is invalid", async () => {
    const { requests } = await showList([sendOf(1)]);
    const type = (label: string, value: string) =>
      act(async () => void fireEvent.change(screen.getByLabelText(label), { target: { value } }));
    await type("From", "2026-03-05");
    await type("To", "2026-03-01");
    expect([requests.length, requests.at(-1)?.from]).toEqual([2, "2026-03-05"]);
    expect(seen("The end lies before the start. Choose a later end.")).toEqual(true);
    await type("To", "2026-03-06");
    expect(requests.at(-1)).toMatchObject({ from: "2026-03-05", to: "2026-03-06" });
  });
});
