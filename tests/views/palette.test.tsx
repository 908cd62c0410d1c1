import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { AnyEventObject, AnyMachineSnapshot } from "xstate";
import { Palette } from "../../src/machines/palette/palette.machine.ts";
import { PaletteView } from "../../src/views/palette/PaletteView.tsx";
import { leadNumber } from "../machines/board.model.ts";
import { paletteModel } from "../machines/palette.model.ts";
import { fill, over, press, retryButtonNextTo, seen } from "../support/screen.ts";
import { pendingServices } from "../support/walk-machine.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const box = () => screen.queryByRole<HTMLInputElement>("searchbox", { name: "Find people, screens and actions" });
const view = (areCommandsOffered: boolean) => (
  <PaletteView isOffered={() => areCommandsOffered} onCommand={() => {}} onPerson={() => {}} onClose={() => {}} />
);
const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);

const model = {
  ...paletteModel,
  allow: (state: AnyMachineSnapshot, event: AnyEventObject) =>
    // An equal value is no event.
    !(event.type === "query.change" && state.context.query === event["query"]) &&
    (paletteModel.allow?.(state, event) ?? true),
};

walkEveryView({
  model,
  show: over(Palette, view(true)),
  gestures: {
    "query.change": fill(box, ({ query }) => query as string),
    "reading.retry": press(() => retryButtonNextTo("People could not be read.")),
  },
  see(state) {
    const { query, found } = state.context;
    expect(box()?.value).toEqual(query);
    expect(seen("People could not be read.")).toEqual(state.matches("loadFailed"));
    // After a failed request the palette must not claim that nothing matches.
    if (state.matches("loadFailed")) expect(seen(/^Nothing is called|results?$/)).toEqual(false);
    // Lists every screen for an empty query, and the people found for a typed one.
    expect(options().includes("Dashboard")).toEqual(query.trim() === "");
    if (found?.query === query.trim()) expect(options().includes(found.people[0].name)).toEqual(true);
  },
});

it("lists names that start with the query before names that contain it", async () => {
  const services = pendingServices();
  render(<Palette.Provider logic={paletteModel.provide(services)}>{view(false)}</Palette.Provider>);
  await act(async () => services.settle("findPeople").resolve({ query: "", people: [] }));
  await act(async () => fireEvent.change(box() as HTMLElement, { target: { value: "an" } }));
  const people = ["Theo Janssen", "Wrote it", "Mary Ann", "Anya Volkova"].map((name, number) =>
    leadNumber(number, "s1", { name }),
  );
  await act(async () => services.settle("findPeople").resolve({ query: "an", people }));
  expect(options()).toEqual(["Anya Volkova", "Mary Ann", "Theo Janssen", "Wrote it"]);
});
