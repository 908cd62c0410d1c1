import { expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { Exclusions } from "../../src/machines/exclusions/exclusions.machine.ts";
import { ExclusionsCard } from "../../src/views/settings/ExclusionsCard.tsx";
import { exclusionsMachine, exclusionsModel } from "../machines/exclusions.model.ts";
import { press, toChart } from "../support/gestures.ts";
import { button, seen } from "../support/screen.ts";
import { over, walkEveryView } from "../support/walk-view.tsx";

const model = {
  ...exclusionsModel,
  // Who is not listed has no button.
  allow: (state: AnyMachineSnapshot, event: { type: string }) => event.type !== "person.restore" || state.can(event),
};

walkEveryView({
  machine: exclusionsMachine,
  model,
  show: over(Exclusions, exclusionsModel, <ExclusionsCard />),
  gestures: {
    "reading.retry": press(() => button("Try again")),
    "reading.refresh": toChart,
    "person.restore": press(() => button("Restore Ada Lovelace")),
  },
  see(state) {
    const isShown = state.matches({ list: "shown" });
    expect(seen("Ada Lovelace")).toEqual(isShown && state.context.people.length > 0);
    expect(seen(state.context.problem)).toEqual(isShown && state.context.problem !== null);
  },
});
