import { screen, within } from "@testing-library/react";
import { expect } from "vitest";
import type { AnyEventObject, AnyMachineSnapshot } from "xstate";
import { PaletteProvider, paletteMachine } from "../../src/machines/palette/index.ts";
import { PaletteView } from "../../src/views/palette/PaletteView.tsx";
import { paletteModel } from "../machines/palette.model.ts";
import { fill, press } from "../support/gestures.ts";
import { coveringPaths, walkEveryView } from "../support/walk-view.tsx";

const box = () => screen.queryByRole<HTMLInputElement>("searchbox", { name: "Find people, screens and actions" });
const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);

const see = (state: AnyMachineSnapshot) => {
  const { query, found } = state.context;
  expect(box()?.value).toEqual(query);
  expect(screen.queryByText("People could not be read.") !== null).toEqual(state.matches("unread"));
  // Every screen while nothing is typed; whom the server named for what is.
  expect(options().includes("Dashboard")).toEqual(query.trim() === "");
  if (found?.query === query.trim()) expect(options().includes(found.people[0].name)).toEqual(true);
};

const model = {
  ...paletteModel,
  allow: (state: AnyMachineSnapshot, event: AnyEventObject) =>
    // Typing what already stands there is no event.
    !(event.type === "query.change" && state.context.query === event["query"]) &&
    (paletteModel.allow?.(state, event) ?? true),
};

walkEveryView({
  machine: paletteMachine,
  model,
  paths: await coveringPaths(paletteMachine, model),
  show: ({ service }, { input: _input, ...options }) => (
    <PaletteProvider
      logic={paletteMachine.provide({ actors: { findPeople: service("findPeople") } })}
      options={options}
    >
      <PaletteView isOffered={() => true} onCommand={() => {}} onPerson={() => {}} onClose={() => {}} />
    </PaletteProvider>
  ),
  gestures: {
    "query.change": fill(box, ({ query }) => query as string),
    "reading.retry": press(() => {
      const mark = screen.queryByText("People could not be read.")?.parentElement;
      return mark ? within(mark).queryByRole("button", { name: "Try again" }) : null;
    }),
  },
  see,
});
