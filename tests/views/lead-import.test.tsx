import { fireEvent, screen } from "@testing-library/react";
import { expect } from "vitest";
import { Fields } from "../../src/machines/catalog/catalog.machine.ts";
import { LeadImport } from "../../src/machines/lead-import/lead-import.machine.ts";
import { ImportPanel } from "../../src/views/lead-tools/ImportPanel.tsx";
import { catalogModel } from "../machines/catalog.model.ts";
import { leadImportModel } from "../machines/lead-import.model.ts";
import { fill, press, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const input = () => screen.getByLabelText<HTMLInputElement>("CSV file");

walkEveryView({
  model: leadImportModel,
  show: (logic, options) => (
    <Fields.Provider logic={catalogModel.machine}>
      <LeadImport.Provider logic={logic} options={options}>
        <ImportPanel />
      </LeadImport.Provider>
    </Fields.Provider>
  ),
  gestures: {
    "file.choose": (event) => fireEvent.change(input(), { target: { files: event["file"] ? [event["file"]] : [] } }),
    "mapping.change": fill(
      ({ header }) => screen.queryByRole("combobox", { name: `What ${String(header)} is` }),
      ({ target }) => String(target),
    ),
    "import.try": press("See what changes"),
    "import.run": press(/^Change \d/),
  },
  see(state) {
    const { preview, result, problem } = state.context;
    const isBusy = ["readingHead", "trying", "importing"].some((step) => state.matches(step));
    expect(input().disabled).toEqual(isBusy);
    expect(screen.queryByRole("region", { name: "First rows" }) !== null).toEqual(preview !== null);
    expect(seen("Rows that match nobody: 1")).toEqual(result !== null);
    expect(seen(problem)).toEqual(problem !== null);
  },
});
