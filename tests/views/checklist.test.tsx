import { render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { Checklist, type Steps, selectSteps } from "../../src/machines/checklist/checklist.machine.ts";
import { FirstSteps, useFirstSteps } from "../../src/views/dashboard/Checklist.tsx";
import { checklistModel, stepsOf } from "../machines/checklist.model.ts";
import { button, over, press, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const link = (name: string) => screen.queryByRole("link", { name })?.getAttribute("href") ?? null;

const Shown = () => (
  <main>
    <h1 tabIndex={-1}>Welcome</h1>
    {useFirstSteps(true)}
  </main>
);

describe("the checklist", () => {
  walkEveryView({
    model: checklistModel,
    show: over(Checklist, <Shown />),
    gestures: { "stages.add": press("Add example stages"), "checklist.dismiss": press("Dismiss") },
    see(state) {
      const steps = selectSteps(state as never);
      const { problem } = state.context as { problem: UiTextOrString | null };
      expect(seen("The first steps could not be read.")).toEqual(state.hasTag("loadFailed"));
      expect(screen.queryByRole("region", { name: "First steps" }) !== null).toEqual(steps !== null);
      expect(button("Add example stages") !== null).toEqual(steps?.stages === false);
      expect(seen(problem)).toEqual(steps !== null && problem !== null);
    },
  });

  const card = (steps: Steps, hasSandboxPhone = false) => (
    <Checklist.Provider logic={checklistModel.machine}>
      <main>
        <FirstSteps steps={steps} hasSandboxPhone={hasSandboxPhone} />
      </main>
    </Checklist.Provider>
  );

  it("links each open step, and the sandbox phone only on a sandbox", () => {
    const { rerender } = render(card(stepsOf()));
    const names = ["Connect", "Import", "Add my own", "Write", "Switch on", "Open the sandbox phone"];
    expect(names.map(link)).toEqual(["/connect-telegram", null, "/stages", "/followups", "/followups", null]);
    rerender(card(stepsOf(), true));
    expect(link("Open the sandbox phone")).toEqual("/sandbox");
    rerender(card(stepsOf("connect", "stages"), true));
    expect(names.map(link)).toEqual([null, "/connect-telegram", null, "/followups", "/followups", null]);
    expect(seen("2 of 5 done")).toEqual(true);
  });

  it("moves the focus on when its button is removed with a done step", async () => {
    const { rerender } = render(card(stepsOf("connect")));
    button("Add example stages")?.focus();
    rerender(card(stepsOf("connect", "stages")));
    await vi.waitFor(() => expect(document.activeElement?.closest("section, [aria-labelledby]")).not.toBeNull());
    expect(document.activeElement?.textContent).toEqual("Import");
  });
});
