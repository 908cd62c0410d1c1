import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { AnyMachineSnapshot, InspectionEvent } from "xstate";
import { Stages, createStages } from "../../src/machines/stages/stages.machine.ts";
import type { StageRow } from "../../src/machines/stages/stages.rows.ts";
import { StagesView } from "../../src/views/stages/StagesView.tsx";
import { stagesModel } from "../machines/stages.model.ts";
import { english } from "../support/english.ts";
import { twoStages } from "../support/leads.ts";
import { fakePage } from "../support/page.ts";
import { fill, over, press, seen, toChart } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
/** Returns the rows of stages, without the rows that hold a confirmation. */
const rows = () =>
  screen.getAllByRole("row").filter((row) => within(row).queryByRole("textbox", { name: "Name" }) !== null);
const rowOf = (key: string, all: StageRow[]) => within(rows()[all.findIndex((row) => row.key === key)] as HTMLElement);
let shown: StageRow[] = [];
/** Returns a control of a row, by the row's key or id; null when the row is not shown. */
const controlOf = (name: string, label: string, role: "button" | "textbox" = "button") => {
  const row = shown.find(({ key, id }) => key === name || id === name);
  return row && screen.queryByRole("table") ? rowOf(row.key, shown).queryByRole(role, { name: label }) : null;
};

const conflictButton = (key: string, version: "mine" | "saved") => {
  const place = shown.filter(({ conflict }) => conflict !== undefined).findIndex((row) => row.key === key);
  return (
    screen.queryAllByRole("button", { name: version === "mine" ? "Keep mine" : /Use saved version|Remove/ })[place] ??
    null
  );
};

walkEveryView({
  model: stagesModel,
  show: (logic, options) => {
    shown = [];
    const inspect = (event: InspectionEvent) => {
      options.inspect(event);
      if (event.type === "@xstate.snapshot") shown = (event.snapshot as AnyMachineSnapshot).context?.rows ?? shown;
    };
    return over(Stages, <StagesView />)(logic, { ...options, inspect });
  },
  gestures: {
    "edits.restore": toChart,
    "row.change": fill(
      ({ key }) => controlOf(String(key), "Name", "textbox"),
      ({ change }) => change.name,
    ),
    "row.add": press(() => screen.queryByRole("button", { name: "Add Stage" })),
    "row.choose": press(({ key, version }) => conflictButton(String(key), version as "mine" | "saved")),
    "row.move": press(({ key }) => controlOf(String(key), "Move Up")),
    "row.delete": press(({ id }) => controlOf(String(id), "Delete Stage")),
    "stages.save": press(() => screen.queryByRole("button", { name: /^Sav/ })),
  },
  see(state) {
    const hasFailed = state.matches("loadFailed");
    expect(seen("Loading stages...")).toEqual(state.matches("loading"));
    expect(seen("Failed to load stages")).toEqual(hasFailed);
    expect(seen("The stages could not be read again. What you see is from before.")).toEqual(
      state.matches({ ready: "outdated" }),
    );
    const isSaving = state.matches("saving") || state.matches("merging");
    const save = button(isSaving ? "Saving..." : "Save Changes");
    expect(save.disabled).toEqual(!state.matches("ready") && !isSaving);
    expect(save.getAttribute("aria-busy")).toEqual(isSaving ? "true" : null);
    expect(screen.queryAllByRole("button", { name: "Keep mine" })).toHaveLength(
      shown.filter(({ conflict }) => conflict !== undefined).length,
    );
    if (hasFailed || shown.length === 0) return;
    expect(
      rows().map((row) => [
        within(row).getAllByRole("cell")[0]?.textContent,
        within(row).getByRole<HTMLInputElement>("textbox", { name: "Name" }).value,
        within(row).queryByRole("button", { name: "Delete Stage" }) !== null,
      ]),
    ).toEqual(shown.map((row, index) => [String(index + 1), row.name, row.id !== null]));
    const { refusal, undeleted } = state.context;
    const inRow = shown.some(({ id }) => id === undeleted?.id) ? undeleted.message : null;
    const problems = [refusal, inRow].filter((words) => words !== null).map(english);
    expect(screen.queryAllByText(/first\.$|^Not saved: /).map((text) => text.textContent)).toEqual(problems);
  },
});

describe("the stages table", () => {
  const row = (place: number) => within(rows()[place] as HTMLElement);
  const field = (place: number, name: string) => row(place).getByLabelText<HTMLInputElement>(name);
  const showStages = async (listed = twoStages) => {
    const logic = createStages(fakePage(), {
      stages: {
        list: async () => listed,
        create: async () => ({ id: "stage-9" }),
        update: async () => {},
        setOrder: async () => {},
        remove: async () => {},
        readEffects: async () => ({ leads: 0, views: [] }),
        restore: async () => {},
        preview: async () => null,
      },
    });
    render(over(Stages, <StagesView />)(logic));
    await act(async () => {});
    return userEvent.setup({ delay: null });
  };

  it("shows its column names, and keywords with commas", async () => {
    await showStages();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toEqual("Manage Stages");
    for (const name of ["Order", "Name", "Keywords", "Color", "Actions"]) {
      expect(screen.getByRole("columnheader", { name })).not.toEqual(null);
    }
    expect(field(1, "Keywords").value).toEqual('price, "high intent"');
    expect(field(1, "Color").value).toEqual("#0b6e5f");
    expect(row(1).getByRole<HTMLButtonElement>("button", { name: "Move Down" }).disabled).toEqual(true);
  });

  it("focuses the name of a new row", async () => {
    const user = await showStages();
    await user.click(button("Add Stage"));
    expect(document.activeElement).toBe(field(2, "Name"));
    // The color is grey until one of the palette is chosen.
    const palette = [...(field(2, "Color").list?.options ?? [])].map(({ value }) => value);
    expect([field(2, "Color").value, palette.length]).toEqual(["#999999", 9]);
    expect(palette.filter((color) => !/^#[0-9a-f]{6}$/.test(color))).toEqual([]);
  });

  it("keeps the focus on the moved row, on a button that is enabled", async () => {
    const user = await showStages();
    await user.click(row(1).getByRole("button", { name: "Move Up" }));
    expect(field(0, "Name").value).toEqual("Interested");
    expect(document.activeElement).toBe(row(0).getByRole("button", { name: "Move Down" }));
  });

  it.each([
    ["Order", "Leads always go into the first stage, regardless of its keywords."],
    ["Name", "Names must be unique. The 'Initial Contact' stage exists by default and can be edited."],
    ["Keywords", "Keywords are comma-separated and match user messages case-insensitively."],
    ["Keywords", "Quotes force an exact-word match"],
  ])("shows help on demand (%s)", async (column, words) => {
    const user = await showStages();
    await user.tab();
    act(() => button(`Help: ${column}`).focus());
    expect((await screen.findByRole("tooltip")).textContent).toContain(words);
  });

  it("warns of keywords that never match, and marks the one a refused save names", async () => {
    const user = await showStages(twoStages.map((stage) => ({ ...stage, keywords: ["a", '"b"', "price"] })));
    const keywords = field(1, "Keywords");
    expect(keywords.getAttribute("aria-invalid")).toEqual(null);
    expect(document.getElementById(keywords.getAttribute("aria-describedby") ?? "")?.textContent).toEqual(
      "The keyword a is too short and is ignored: put it in quotes to match it as a word.",
    );
    await user.clear(keywords);
    await user.click(button("Save Changes"));
    expect(field(1, "Keywords").getAttribute("aria-invalid")).toEqual("true");
  });
});
