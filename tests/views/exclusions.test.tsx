import { screen } from "@testing-library/react";
import { expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { Exclusions } from "../../src/machines/exclusions/exclusions.machine.ts";
import { ExclusionsCard } from "../../src/views/settings/ExclusionsCard.tsx";
import { exclusionsMachine, exclusionsModel } from "../machines/exclusions.model.ts";
import { english } from "../support/english.ts";
import { press, toChart } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const see = (state: AnyMachineSnapshot) => {
  const isShown = state.matches({ list: "shown" });
  expect(screen.queryByText("Ada Lovelace") !== null).toEqual(isShown && state.context.people.length > 0);
  expect(screen.queryByText(english(state.context.problem ?? "no such words")) !== null).toEqual(
    isShown && state.context.problem !== null,
  );
};

const model = {
  ...exclusionsModel,
  // Who is not listed has no button.
  allow: (state: AnyMachineSnapshot, event: { type: string }) => event.type !== "person.restore" || state.can(event),
};

walkEveryView({
  machine: exclusionsMachine,
  model,
  show(services, options) {
    return (
      <Exclusions.Provider logic={exclusionsModel.provide(services) as typeof exclusionsMachine} options={options}>
        <ExclusionsCard />
      </Exclusions.Provider>
    );
  },
  gestures: {
    "reading.retry": press(() => screen.queryByRole("button", { name: "Try again" })),
    "reading.refresh": toChart,
    "person.restore": press(() => screen.queryByRole("button", { name: "Restore Ada Lovelace" })),
  },
  see,
});
