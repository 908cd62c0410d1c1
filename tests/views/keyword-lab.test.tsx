import { screen } from "@testing-library/react";
import { expect } from "vitest";
import { KeywordLab } from "../../src/machines/keyword-lab/keyword-lab.machine.ts";
import { KeywordLabSection } from "../../src/views/stages/KeywordLab.tsx";
import { keywordLabModel, words } from "../machines/keyword-lab.model.ts";
import { over, press, seen, toChart } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

walkEveryView({
  model: keywordLabModel,
  show: over(KeywordLab, <KeywordLabSection />, { words }),
  gestures: {
    "words.edited": toChart,
    "lab.try": press(/^Try/),
    "lab.close": press("Close"),
  },
  see(state) {
    const hasFigures = (state.matches("shown") || state.matches("stale")) && state.context.preview !== null;
    expect(seen("1,200")).toEqual(hasFigures);
    // Message text is shown as text, even if it contains HTML.
    expect(document.querySelector("mark")?.textContent ?? null).toEqual(hasFigures ? "price" : null);
    expect(document.querySelector("b")).toEqual(null);
    expect(seen(/It stands inside many words\./)).toEqual(hasFigures);
    expect(seen("The newest 1 of 4.")).toEqual(hasFigures);
    expect(seen(/were edited after these figures/)).toEqual(state.matches("stale"));
    expect(seen("The words could not be tried.")).toEqual(state.matches("loadFailed"));
    expect(screen.queryByRole("heading", { name: "Try before you save" }) !== null).toEqual(!state.matches("absent"));
  },
});
