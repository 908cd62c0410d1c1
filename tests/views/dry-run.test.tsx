import { act, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { DryRun } from "../../src/machines/dry-run/dry-run.machine.ts";
import { DryRunBanner } from "../../src/views/dry-run/DryRunBanner.tsx";
import { DryRunSwitch } from "../../src/views/dry-run/DryRunSwitch.tsx";
import { dryRunModel, heldItem } from "../machines/dry-run.model.ts";
import { english } from "../support/english.ts";
import { button, over, press, seen } from "../support/screen.ts";
import { pendingServices } from "../support/walk-machine.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const dryRun = () => screen.queryByRole<HTMLInputElement>("switch", { name: "Dry run" });

describe("the dry run", () => {
  walkEveryView({
    model: dryRunModel,
    show: over(
      DryRun,
      <>
        <DryRunBanner />
        <DryRunSwitch />
      </>,
    ),
    gestures: {
      "dryRun.start": press(() => (dryRun()?.checked === false ? dryRun() : null)),
      "dryRun.leave": press("Leave dry run"),
      "dryRun.stay": press("Stay in dry run"),
      "dryRun.end": press("Send from now on"),
    },
    see(state) {
      const { isOn, problem } = state.context as { isOn: boolean | null; problem: UiTextOrString | null };
      const isReviewing = ["reviewing", "reviewed", "unreviewed", "ending"].includes(String(state.value));
      expect(seen(/but not sent\.$/)).toEqual(isOn === true);
      expect(screen.queryByRole("heading", { name: "What would have gone out" }) !== null).toEqual(isReviewing);
      expect(seen("Hello Ada")).toEqual(
        state.matches("reviewed") || (state.matches("ending") && state.context.heldBack !== null),
      );
      expect(seen("What would have gone out could not be read.")).toEqual(state.matches("unreviewed"));
      expect(seen("Whether it is a dry run could not be read.")).toEqual(state.matches("loadFailed"));
      expect(dryRun()?.checked ?? null).toEqual(isOn === null ? null : isOn || state.matches("starting"));
      expect(screen.queryAllByText(english(problem ?? "nothing")).length > 0).toEqual(problem !== null);
    },
  });

  it("keeps a focus that the user has moved before the list loads", async () => {
    const services = pendingServices();
    render(over(DryRun, <DryRunBanner />)(dryRunModel.provide(services)));
    await act(async () => services.settle("readDryRun").resolve(true));
    await act(async () => button("Leave dry run")?.click());
    expect(document.activeElement?.textContent).toEqual("What would have gone out");
    await act(async () => button("Stay in dry run")?.focus());
    await act(async () => services.settle("listHeldBack").resolve({ items: [heldItem], hasMore: false, since: null }));
    expect(seen("Hello Ada")).toEqual(true);
    expect(document.activeElement).toBe(button("Stay in dry run"));
  });
});
