import { act, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { DryRun } from "../../src/machines/dry-run/dry-run.machine.ts";
import { DryRunBanner } from "../../src/views/dry-run/DryRunBanner.tsx";
import { DryRunSwitch } from "../../src/views/dry-run/DryRunSwitch.tsx";
import { dryRunMachine, dryRunModel, heldItem } from "../machines/dry-run.model.ts";
import { english } from "../support/english.ts";
import { press, outside } from "../support/gestures.ts";
import { pendingServices } from "../support/walk-machine.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = (name: string) => screen.queryByRole("button", { name });
const dryRun = () => screen.queryByRole<HTMLInputElement>("switch", { name: "Dry run" });
const [listening, tell] = outside();

const see = (state: AnyMachineSnapshot) => {
  const { isOn, problem } = state.context as { isOn: boolean | null; problem: UiTextOrString | null };
  const isReviewing = ["reviewing", "reviewed", "unreviewed", "ending"].includes(String(state.value));
  expect(screen.queryByText(/none leaves\.$/) !== null).toEqual(isOn === true);
  expect(screen.queryByRole("heading", { name: "What would have gone out" }) !== null).toEqual(isReviewing);
  expect(screen.queryByText("Hello Ada") !== null).toEqual(
    state.matches("reviewed") || (state.matches("ending") && state.context.heldBack !== null),
  );
  expect(screen.queryByText("What would have gone out could not be read.") !== null).toEqual(
    state.matches("unreviewed"),
  );
  expect(screen.queryByText("Whether it is a dry run could not be read.") !== null).toEqual(state.matches("unread"));
  expect(dryRun()?.checked ?? null).toEqual(isOn === null ? null : isOn || state.matches("starting"));
  expect(screen.queryAllByText(english(problem ?? "nothing")).length > 0).toEqual(problem !== null);
};

describe("the dry run", () => {
  walkEveryView({
    machine: dryRunMachine,
    model: dryRunModel,
    show: (services, options) => (
      <DryRun.Provider
        logic={
          dryRunModel
            .provide(services)
            .provide({ actors: { watchReturns: listening } } as never) as typeof dryRunMachine
        }
        options={options}
      >
        <DryRunBanner />
        <DryRunSwitch />
      </DryRun.Provider>
    ),
    gestures: {
      "reading.retry": press(() => button("Try again")),
      "reading.refresh": () => tell({ type: "reading.refresh" }),
      "dryRun.start": press(() => (dryRun()?.checked === false ? dryRun() : null)),
      "dryRun.leave": press(() => button("Leave dry run")),
      "dryRun.stay": press(() => button("Stay in dry run")),
      "dryRun.end": press(() => button("Send from now on")),
    },
    see,
  });

  it("leaves the focus where the person has taken it once the list has come", async () => {
    const services = pendingServices();
    render(
      <DryRun.Provider logic={dryRunModel.provide(services) as typeof dryRunMachine}>
        <DryRunBanner />
      </DryRun.Provider>,
    );
    await act(async () => services.settle("readDryRun").resolve(true));
    await act(async () => button("Leave dry run")?.click());
    expect(document.activeElement?.textContent).toEqual("What would have gone out");
    await act(async () => button("Stay in dry run")?.focus());
    await act(async () => services.settle("listHeldBack").resolve({ items: [heldItem], hasMore: false, since: null }));
    expect(screen.queryByText("Hello Ada")).not.toEqual(null);
    expect(document.activeElement).toBe(button("Stay in dry run"));
  });
});
