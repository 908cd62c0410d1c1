import { screen } from "@testing-library/react";
import { describe, expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { KeywordLab } from "../../src/machines/keyword-lab/keyword-lab.machine.ts";
import { KeywordLabSection } from "../../src/views/stages/KeywordLab.tsx";
import { keywordLabMachine, keywordLabModel, words } from "../machines/keyword-lab.model.ts";
import { press, toChart } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = (name: string | RegExp) => screen.queryByRole("button", { name });

const see = (state: AnyMachineSnapshot) => {
  const hasFigures = (state.matches("shown") || state.matches("stale")) && state.context.preview !== null;
  expect(screen.queryByText("1,200") !== null).toEqual(hasFigures);
  // What people wrote is text, whatever it looks like.
  expect(document.querySelector("mark")?.textContent ?? null).toEqual(hasFigures ? "price" : null);
  expect(document.querySelector("b")).toEqual(null);
  expect(screen.queryByText("It stands inside many words.", { exact: false }) !== null).toEqual(hasFigures);
  expect(screen.queryByText("The newest 1 of 4.") !== null).toEqual(hasFigures);
  expect(screen.queryByText(/figures are of before/) !== null).toEqual(state.matches("stale"));
  expect(screen.queryByText("The words could not be tried.") !== null).toEqual(state.matches("unread"));
  expect(screen.queryByRole("heading", { name: "Try before you save" }) !== null).toEqual(!state.matches("absent"));
};

describe("the keyword lab", () => {
  walkEveryView({
    machine: keywordLabMachine,
    model: keywordLabModel,
    show: (services, options) => (
      <KeywordLab.Provider
        logic={keywordLabModel.provide(services) as typeof keywordLabMachine}
        options={{ ...options, input: { words } }}
      >
        <KeywordLabSection />
      </KeywordLab.Provider>
    ),
    gestures: {
      "words.edited": toChart,
      "lab.try": press(() => button(/^Try/)),
      "lab.close": press(() => button("Close")),
    },
    see,
  });
});
