import { screen } from "@testing-library/react";
import { useEffect } from "react";
import { describe, expect } from "vitest";
import type { AnyEventObject, AnyMachineSnapshot } from "xstate";
import { KeywordLabProvider, keywordLabMachine, useKeywordLabEvents } from "../../src/machines/keyword-lab/index.ts";
import { KeywordLab } from "../../src/views/stages/KeywordLab.tsx";
import { keywordLabModel, words } from "../machines/keyword-lab.model.ts";
import { press } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = (name: string | RegExp) => screen.queryByRole("button", { name });
let tell = (_event: AnyEventObject) => {};

function Told() {
  const { tellWords } = useKeywordLabEvents();
  useEffect(() => {
    tell = (event) => tellWords(event["words"]);
  }, [tellWords]);
  return null;
}

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
      <KeywordLabProvider
        logic={keywordLabModel.provide(services) as typeof keywordLabMachine}
        options={{ ...options, input: { words } }}
      >
        <Told />
        <KeywordLab />
      </KeywordLabProvider>
    ),
    gestures: {
      "words.edited": (event) => tell(event),
      "lab.try": press(() => button(/^Try/)),
      "lab.close": press(() => button("Close")),
    },
    see,
  });
});
