import { expect } from "vitest";
import { Exclusions } from "../../src/machines/exclusions/exclusions.machine.ts";
import { ExclusionsCard } from "../../src/views/settings/ExclusionsCard.tsx";
import { exclusionsModel } from "../machines/exclusions.model.ts";
import { over, press, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

walkEveryView({
  model: exclusionsModel,
  show: over(Exclusions, <ExclusionsCard />),
  gestures: { "person.restore": press("Restore Ada Lovelace") },
  see(state) {
    const isShown = state.matches({ list: "shown" });
    expect(seen("Ada Lovelace")).toEqual(isShown && state.context.people.length > 0);
    expect(seen(state.context.problem)).toEqual(isShown && state.context.problem !== null);
  },
});
