import { act, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import type { Field } from "../../domain/field.ts";
import type { Tag } from "../../domain/tag.ts";
import { Catalog, type CatalogItem, type CatalogKind } from "../../src/machines/catalog/catalog.machine.ts";
import { FieldsCard } from "../../src/views/catalog/FieldsCard.tsx";
import { TagsCard } from "../../src/views/catalog/TagsCard.tsx";
import { catalogModel, catalogOf } from "../machines/catalog.model.ts";
import { answering } from "../support/model.ts";
import { button, fill, over, press, seen, submit, textbox as field } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

walkEveryView({
  model: catalogModel,
  show: over(Catalog, <FieldsCard />),
  gestures: {
    "item.add": press("Add Field"),
    "item.edit": press("Edit City"),
    "item.delete": press(({ id }) => button(id === "1" ? "Delete City" : "Delete Budget")),
    "form.change": fill(
      () => field("Name"),
      (event) => (event["change"] as { name: string }).name,
    ),
    "form.cancel": press("Cancel"),
    "form.submit": submit("Save Field"),
    "target.choose": press(({ moveTo }) => button(moveTo === null ? "Leave them without" : "To Oslo")),
    "target.cancel": press("Back"),
  },
  see(state) {
    const { context } = state;
    const isEditing = ["editing", "saving", "awaitingTarget"].some((work) => state.matches({ work }));
    const isShown = state.matches({ list: "shown" });
    expect(seen("The fields could not be read.")).toEqual(state.matches({ list: "loadFailed" }));
    expect(screen.queryAllByRole("listitem")).toHaveLength(isShown ? context.items.length : 0);
    expect(field("Name")?.value ?? null).toEqual(isEditing ? context.form.name : null);
    expect(seen(context.problem)).toEqual(context.problem !== null);
    expect(field("Name")?.getAttribute("aria-invalid") ?? null).toEqual(context.refused.name ? "true" : null);
    expect(seen("3 leads hold “North”. Where do they go?")).toEqual(context.asks !== null);
  },
});

const vip: Tag = { id: "1", name: "VIP", color: "#ff0000", leads: 2 };
const city: Field = { id: "1", name: "City", type: "choice", options: ["Oslo"], is_value: false, leads: 1 };

/** Renders the card with these items, and returns what it saves. */
function show(card: ReactNode, kind: CatalogKind, items: readonly CatalogItem[] = []) {
  const saved: unknown[] = [];
  const saveItem = (input: unknown) => (saved.push(input), { asks: null });
  const logic = answering(catalogOf(kind), { listItems: () => items, saveItem });
  render(<Catalog.Provider logic={logic}>{card}</Catalog.Provider>);
  return saved;
}
/** Starts a new choice field. Returns a function that fills in its options. */
async function addChoice() {
  fireEvent.click(await screen.findByRole("button", { name: "Add Field" }));
  fireEvent.change(screen.getByRole("combobox", { name: "Type" }), { target: { value: "choice" } });
  const options = screen.getByRole("textbox", { name: "Options" });
  return (value: string) => {
    fireEvent.change(options, { target: { value } });
    fireEvent.blur(options);
  };
}

it("adds a choice with one option per line, and returns the focus", async () => {
  const saved = show(<FieldsCard />, "field");
  expect(await screen.findByText("Such as a budget, a city or a day to call.")).not.toBe(null);
  const type = await addChoice();
  type(" Oslo\n\nBergen \n");
  fireEvent.change(field("Name") as HTMLElement, { target: { value: "City" } });
  act(() => button("Save Field")?.focus());
  fireEvent.click(button("Save Field") as HTMLElement);
  await vi.waitFor(() => expect(document.activeElement).toBe(button("Add Field")));
  const form = { name: "City", type: "choice", options: ["Oslo", "Bergen"], is_value: false };
  expect(saved).toMatchObject([{ id: null, form }]);
});

it("keeps a form's error when its options are left unchanged", async () => {
  show(<FieldsCard />, "field");
  const type = await addChoice();
  type("Oslo");
  fireEvent.click(button("Save Field") as HTMLElement);
  fireEvent.blur(screen.getByRole("textbox", { name: "Options" }));
  expect(screen.getByRole("alert").textContent).toEqual("Give the field a name.");
  type("Oslo\n");
  expect(screen.queryByRole("alert")).toBe(null);
});

it("shows a field's options and how many leads have a value", async () => {
  show(<FieldsCard />, "field", [city]);
  expect(await screen.findByText("Choice: Oslo · 1 lead")).not.toBe(null);
});

it("shows a tag's name and color", async () => {
  show(<TagsCard />, "tag", [vip]);
  expect(await screen.findByText("VIP")).not.toBe(null);
  fireEvent.click(button("Edit VIP") as HTMLElement);
  expect([field("Name")?.value, screen.getByLabelText<HTMLInputElement>("Color").value]).toEqual(["VIP", "#ff0000"]);
});
