import { screen } from "@testing-library/react";
import { describe, expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { ReadReceipts } from "../../src/machines/read-receipts/read-receipts.machine.ts";
import { ReadReceiptsSwitch } from "../../src/views/read-receipts/ReadReceiptsCard.tsx";
import { readReceiptsMachine, readReceiptsModel } from "../machines/read-receipts.model.ts";
import { english } from "../support/english.ts";
import { press } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const receipts = () =>
  screen.queryByRole<HTMLInputElement>("switch", { name: "Show people that I have read their messages" });

const see = (state: AnyMachineSnapshot) => {
  const { isOn, problem } = state.context as { isOn: boolean; problem: UiTextOrString | null };
  const isKnown = state.matches("resting") || state.matches("saving");
  expect(receipts()?.checked ?? null).toEqual(isKnown ? isOn !== state.matches("saving") : null);
  expect(screen.queryByText("The read receipts could not be read.") !== null).toEqual(state.matches("unread"));
  expect(screen.queryByText(english(problem ?? "nothing")) !== null).toEqual(isKnown && problem !== null);
};

describe("read receipts", () => {
  walkEveryView({
    machine: readReceiptsMachine,
    model: readReceiptsModel,
    show: (services, options) => (
      <ReadReceipts.Provider
        logic={readReceiptsModel.provide(services) as typeof readReceiptsMachine}
        options={options}
      >
        <ReadReceiptsSwitch />
      </ReadReceipts.Provider>
    ),
    gestures: {
      "reading.retry": press(() => screen.queryByRole("button", { name: "Try again" })),
      "receipts.switch": press(receipts),
    },
    see,
  });
});
