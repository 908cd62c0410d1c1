import { i18n } from "@lingui/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, onTestFinished } from "vitest";
import type { Field } from "../../domain/field.ts";
import type { FieldValue } from "../../domain/lead.ts";
import { type AnyEventObject, type AnyMachineSnapshot, createActor, waitFor } from "xstate";
import { type CatalogItem, Fields, Tags } from "../../src/machines/catalog/catalog.machine.ts";
import { LeadTagsAndFieldsChart } from "../../src/machines/lead-tags-and-fields/lead-tags-and-fields.machine.ts";
import ExcludedNotice from "../../src/views/conversation/ExcludedNotice.tsx";
import { LeadTagsAndFields } from "../../src/views/lead-panel/LeadTagsAndFields.tsx";
import { budget, catalogModel } from "../machines/catalog.model.ts";
import { ada, home, leadTagsAndFieldsModel, vip } from "../machines/lead-tags-and-fields.model.ts";
import { answering, offline } from "../support/model.ts";
import { button, fill, press, removePartOfDate, seen, setPartialDate, submit, toChart } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const link = () => screen.queryByRole<HTMLInputElement>("textbox", { name: "Home" });

/** A catalog that is already loaded. */
async function read(items: readonly CatalogItem[]) {
  const actor = createActor(answering(catalogModel.machine, { listItems: () => items })).start();
  await waitFor(actor, (snapshot) => snapshot.matches({ list: "shown" }));
  return actor;
}
const [tags, fields] = await Promise.all([read([vip]), read([home])]);

/** Returns the value of the field: what is typed, else what is stored. */
const shownHome = ({ context: { typed, lead } }: AnyMachineSnapshot): string => typed.f2?.text ?? lead.fields.f2 ?? "";

const model = {
  ...leadTagsAndFieldsModel,
  // An equal value is no event.
  allow: (state: AnyMachineSnapshot, event: AnyEventObject) =>
    !(event.type === "field.change" && shownHome(state) === event["text"]) &&
    (leadTagsAndFieldsModel.allow?.(state, event) ?? true),
};

walkEveryView({
  model,
  show: (logic, options) => (
    <Tags.ActorProvider value={tags}>
      <Fields.ActorProvider value={fields}>
        <LeadTagsAndFieldsChart.Provider logic={logic} options={options}>
          <LeadTagsAndFields />
        </LeadTagsAndFieldsChart.Provider>
      </Fields.ActorProvider>
    </Tags.ActorProvider>
  ),
  gestures: {
    "lead.read": toChart,
    "fields.listed": toChart,
    "tags.set": press(() => button("Add tag") ?? button("Take VIP away")),
    "field.change": fill(link, (event) => String(event["text"])),
    "fields.cancel": press("Cancel"),
    "fields.save": submit("Save fields"),
    "lead.exclude": press("Not a lead"),
  },
  see(state) {
    const { lead, problems } = state.context;
    expect(button("Take VIP away") !== null).toEqual(lead.tags.length > 0);
    expect(link()?.value).toEqual(shownHome(state));
    const shown = Object.values(problems).filter((problem) => problem !== null);
    expect(screen.queryAllByText(/^(No response|Not now)/).map((mark) => mark.textContent)).toEqual(shown);
  },
});

it("shows who is excluded on the lead's page, with Undo while it is possible", () => {
  let undone = 0;
  const { rerender } = render(<ExcludedNotice name="Ada" onUndo={() => (undone += 1)} />);
  expect(screen.getByRole("status").textContent).toBe("Ada is not a lead any more");
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(undone).toBe(1);
  rerender(<ExcludedNotice name={null} onUndo={null} />);
  expect([screen.queryByRole("button"), screen.getByRole("link", { name: "Settings" }).getAttribute("href")]).toEqual([
    null,
    "/settings#people",
  ]);
});

it("distinguishes tags that failed to load from none, and shows them on retry", async () => {
  /** A catalog whose first load fails. */
  const catalogOf = (item: CatalogItem) => {
    let readings = 0;
    const listItems = () => ((readings += 1) === 1 ? Promise.reject(offline) : [item]);
    return answering(catalogModel.machine, { listItems });
  };
  render(
    <Tags.Provider logic={catalogOf(vip)}>
      <Fields.Provider logic={catalogOf(home)}>
        <LeadTagsAndFieldsChart.Provider logic={leadTagsAndFieldsModel.machine} options={{ input: { lead: ada } }}>
          <LeadTagsAndFields />
        </LeadTagsAndFieldsChart.Provider>
      </Fields.Provider>
    </Tags.Provider>,
  );
  await screen.findByText("The tags could not be read.");
  await screen.findByText("The fields could not be read.");
  expect(link()).toBeNull();
  for (const retry of screen.getAllByRole("button", { name: "Try again" })) fireEvent.click(retry);
  await screen.findByRole("textbox", { name: "Home" });
  expect(seen(/could not be read/)).toEqual(false);
});

async function showField(field: Field, value: FieldValue) {
  const lead = { ...ada, fields: { [field.id]: value } };
  const actor = createActor(leadTagsAndFieldsModel.machine, { input: { lead } }).start();
  render(
    <Tags.ActorProvider value={tags}>
      <Fields.ActorProvider value={await read([field])}>
        <LeadTagsAndFieldsChart.ActorProvider value={actor}>
          <LeadTagsAndFields />
        </LeadTagsAndFieldsChart.ActorProvider>
      </Fields.ActorProvider>
    </Tags.ActorProvider>,
  );
  return actor;
}

it("refuses a partial date instead of clearing the stored day", async () => {
  const actor = await showField({ ...home, name: "Renewal", type: "date" }, "2026-03-05");
  const day = screen.getByLabelText<HTMLInputElement>("Renewal");
  removePartOfDate(day);
  expect([seen("Enter the whole date."), button("Save fields")?.disabled]).toEqual([true, true]);
  setPartialDate(day, false);
  fireEvent.blur(day);
  expect([actor.getSnapshot().context.typed[home.id]?.value, button("Save fields")?.disabled]).toEqual([null, false]);
});

it.each([
  ["en", "1234.5", "0,75", 0.75],
  ["en", "1234.5", "1,500", 1500],
  ["es", "1234,5", "1.500", 1500],
  ["es", "1234,5", "1,5", 1.5],
  ["ru", "1234,5", "12e", null],
])("shows in %s an amount as %s, and reads %s as %s", async (locale, shown, text, value) => {
  i18n.loadAndActivate({ locale, messages: {} });
  onTestFinished(() => act(() => i18n.activate("en")));
  const actor = await showField(budget, 1234.5);
  const amount = screen.getByLabelText<HTMLInputElement>("Budget");
  expect(amount.value).toEqual(shown);
  fireEvent.change(amount, { target: { value: text } });
  expect([amount.value, actor.getSnapshot().context.typed[budget.id]?.value]).toEqual([text, value]);
  expect(amount.getAttribute("aria-invalid")).toEqual(value === null ? "true" : null);
});
