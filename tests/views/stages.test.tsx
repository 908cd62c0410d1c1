import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { type AnyEventObject, type AnyMachineSnapshot, type InspectionEvent, fromCallback } from "xstate";
import { Stages, createStages } from "../../src/machines/stages/stages.machine.ts";
import type { StageRow } from "../../src/machines/stages/stages.rows.ts";
import { StagesView } from "../../src/views/stages/StagesView.tsx";
import { stagesMachine, stagesModel } from "../machines/stages.model.ts";
import { english } from "../support/english.ts";
import { twoStages } from "../support/leads.ts";
import { fakePage } from "../support/page.ts";
import { fill, press } from "../support/gestures.ts";
import { seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
/** The rows of stages, without those that ask about one. */
const rows = () =>
  screen.getAllByRole("row").filter((row) => within(row).queryByRole("textbox", { name: "Name" }) !== null);
const rowOf = (key: string, all: StageRow[]) => within(rows()[all.findIndex((row) => row.key === key)] as HTMLElement);
let shown: StageRow[] = [];
let tell: (event: AnyEventObject) => void = () => {};
/** A control of a row, by the row's key or id; null where no such row is shown. */
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

const shownRows = (state: AnyMachineSnapshot) => state.context.rows as StageRow[];

walkEveryView({
  machine: stagesMachine,
  model: {
    ...stagesModel,
    allow: (state, event) => {
      const row = (state.context.rows as StageRow[]).find(({ key, id }) => event["key"] === key || event["id"] === id);
      if (event.type === "edits.restore") return shownRows(state).length === 2;
      if (event.type === "row.choose") return row?.conflict !== undefined;
      if (event.type === "row.change") return row !== undefined && row.name !== event["change"].name;
      return event.type === "row.add" || !event.type.startsWith("row.") || state.can(event);
    },
  },
  show: ({ service }, options) => {
    shown = [];
    const logic = stagesMachine.provide({
      actors: {
        fetchStages: service(),
        saveStages: service(),
        askConfirmation: service(),
        deleteStage: service(),
        renumberStages: service(),
        showAlert: service(),
        watchReturns: fromCallback<AnyEventObject>(({ sendBack }) => {
          tell = sendBack;
        }),
      },
    });
    const inspect = (event: InspectionEvent) => {
      options.inspect(event);
      if (event.type === "@xstate.snapshot") shown = (event.snapshot as AnyMachineSnapshot).context?.rows ?? shown;
    };
    return (
      <Stages.Provider logic={logic} options={{ ...options, inspect }}>
        <StagesView />
      </Stages.Provider>
    );
  },
  gestures: {
    "edits.restore": (event) => tell(event),
    "reading.refresh": (event) => tell(event),
    "row.change": fill(
      ({ key }) => controlOf(String(key), "Name", "textbox"),
      ({ change }) => change.name,
    ),
    "row.add": press(() => screen.queryByRole("button", { name: "Add Stage" })),
    "row.choose": press(({ key, version }) => conflictButton(String(key), version as "mine" | "saved")),
    "row.move": press(({ key }) => controlOf(String(key), "Move Up")),
    "row.delete": press(({ id }) => controlOf(String(id), "Delete Stage")),
    "stages.save": press(() => screen.queryByRole("button", { name: /^Sav/ })),
    "reading.retry": press(() => screen.queryByRole("button", { name: "Try again" })),
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
      onReturn: () => () => {},
    });
    render(
      <Stages.Provider logic={logic}>
        <StagesView />
      </Stages.Provider>,
    );
    await act(async () => {});
    return userEvent.setup({ delay: null });
  };

  it("heads its columns as they are called and shows keywords with commas", async () => {
    await showStages();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toEqual("Manage Stages");
    for (const name of ["Order", "Name", "Keywords", "Color", "Actions"]) {
      expect(screen.getByRole("columnheader", { name })).not.toEqual(null);
    }
    const second = within(rows()[1] as HTMLElement);
    expect(second.getByRole<HTMLInputElement>("textbox", { name: "Keywords" }).value).toEqual('price, "high intent"');
    expect(second.getByLabelText<HTMLInputElement>("Color").value).toEqual("#0b6e5f");
    expect(second.getByRole<HTMLButtonElement>("button", { name: "Move Down" }).disabled).toEqual(true);
  });

  it("offers a palette for a color; a new stage is grey until one is chosen", async () => {
    await showStages();
    fireEvent.click(screen.getByRole("button", { name: "Add Stage" }));
    const colors = screen.getAllByLabelText<HTMLInputElement>("Color");
    const palette = [...(colors.at(-1)?.list?.options ?? [])].map(({ value }) => value);
    expect([colors.at(-1)?.value, palette.length, palette.every((color) => /^#[0-9a-f]{6}$/.test(color))]).toEqual([
      "#999999",
      9,
      true,
    ]);
  });

  it("puts the cursor into the name of a new row", async () => {
    const user = await showStages();
    await user.click(button("Add Stage"));
    expect(document.activeElement).toBe(within(rows()[2] as HTMLElement).getByRole("textbox", { name: "Name" }));
    expect(within(rows()[2] as HTMLElement).getByLabelText<HTMLInputElement>("Color").value).toEqual("#999999");
  });

  it("keeps the focus on the moved row, on the button that still works", async () => {
    const user = await showStages();
    await user.click(within(rows()[1] as HTMLElement).getByRole("button", { name: "Move Up" }));
    const first = within(rows()[0] as HTMLElement);
    expect(first.getByRole<HTMLInputElement>("textbox", { name: "Name" }).value).toEqual("Interested");
    expect(document.activeElement).toBe(first.getByRole("button", { name: "Move Down" }));
  });

  it.each([
    ["Order", "Leads always go into the first stage, regardless of its keywords."],
    ["Name", "Names must be unique. The 'Initial Contact' stage exists by default and can be edited."],
    ["Keywords", "Keywords are comma-separated and match user messages case-insensitively."],
  ])("explains itself where one asks (%s)", async (column, words) => {
    const user = await showStages();
    const help = button(`Help: ${column}`);
    await user.tab();
    act(() => help.focus());
    expect((await screen.findByRole("tooltip")).textContent).toContain(words);
    await user.keyboard("{Escape}");
    await vi.waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
    await user.keyboard("{Enter}");
    expect((await screen.findByRole("tooltip")).textContent).toContain(words);
  });

  it("explains itself to a finger, until it presses elsewhere", async () => {
    const user = await showStages();
    await user.pointer({ keys: "[TouchA]", target: button("Help: Keywords") });
    expect((await screen.findByRole("tooltip")).textContent).toContain("Quotes force an exact-word match");
    await user.pointer({ keys: "[TouchA]", target: document.body });
    await vi.waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
  });

  it("says under the field which saved keywords will never match", async () => {
    await showStages(twoStages.map((stage) => ({ ...stage, keywords: ["a", '"b"', "price"] })));
    const keywords = within(rows()[1] as HTMLElement).getByRole("textbox", { name: "Keywords" });
    expect(keywords.getAttribute("aria-invalid")).toEqual(null);
    expect(document.getElementById(keywords.getAttribute("aria-describedby") ?? "")?.textContent).toEqual(
      "The keyword a is too short and is ignored: put it in quotes to match it as a word.",
    );
  });

  it("marks the field a refused save points at", async () => {
    const user = await showStages();
    await user.clear(within(rows()[1] as HTMLElement).getByRole("textbox", { name: "Keywords" }));
    await user.click(button("Save Changes"));
    const keywords = within(rows()[1] as HTMLElement).getByRole("textbox", { name: "Keywords" });
    expect(keywords.getAttribute("aria-invalid")).toEqual("true");
  });
});
