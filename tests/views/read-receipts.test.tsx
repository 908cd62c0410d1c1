import { screen } from "@testing-library/react";
import { expect } from "vitest";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { ReadReceipts } from "../../src/machines/read-receipts/read-receipts.machine.ts";
import { ReadReceiptsCard } from "../../src/views/read-receipts/ReadReceiptsCard.tsx";
import { readReceiptsModel } from "../machines/read-receipts.model.ts";
import { over, press, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const receipts = () =>
  screen.queryByRole<HTMLInputElement>("switch", { name: "Show people that I have read their messages" });

walkEveryView({
  model: readReceiptsModel,
  show: over(ReadReceipts, <ReadReceiptsCard />),
  gestures: { "receipts.switch": press(receipts) },
  see(state) {
    const { isOn, problem } = state.context as { isOn: boolean; problem: UiTextOrString | null };
    const isKnown = state.matches("known") || state.matches("saving");
    expect(receipts()?.checked ?? null).toEqual(isKnown ? isOn !== state.matches("saving") : null);
    expect(seen("The read receipts could not be read.")).toEqual(state.matches("loadFailed"));
    expect(seen(/could not be read again/)).toEqual(state.matches({ known: "outdated" }));
    expect(seen(problem)).toEqual(isKnown && problem !== null);
  },
});
