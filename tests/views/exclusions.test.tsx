import { expect } from "vitest";
import { Exclusions } from "../../src/machines/exclusions/exclusions.machine.ts";
import { ExclusionsCard } from "../../src/views/settings/ExclusionsCard.tsx";
import { exclusionsMachine, exclusionsModel } from "../machines/exclusions.model.ts";
import { press } from "../support/gestures.ts";
import { button, seen } from "../support/screen.ts";
import { over, walkEveryView } from "../support/walk-view.tsx";

walkEveryView({
  machine: exclusionsMachine,
  model: exclusionsModel,
  show: over(Exclusions, exclusionsModel, <ExclusionsCard />),
  gestures: {
    "person.restore": press(() => button("Restore Ada Lovelace")),
  },
  see(state) {
    const isShown = state.matches({ list: "shown" });
    expect(seen("Ada Lovelace")).toEqual(isShown && state.context.people.length > 0);
    expect(seen(state.context.problem)).toEqual(isShown && state.context.problem !== null);
  },
});
