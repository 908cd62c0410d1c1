import { fireEvent, screen } from "@testing-library/react";
import { expect } from "vitest";
import { Archive } from "../../src/machines/archive/archive.machine.ts";
import { ArchiveParts } from "../../src/views/archive/ArchiveCard.tsx";
import { archiveModel } from "../machines/archive.model.ts";
import { button, over, press, seen, submit } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const input = () => screen.queryByLabelText<HTMLInputElement>("Zip file");

walkEveryView({
  model: archiveModel,
  show: over(Archive, <ArchiveParts />),
  gestures: {
    "reading.retry": press(/Try again/),
    "download.request": press(/^Download everything/),
    "file.choose": (event) =>
      fireEvent.change(input() as HTMLInputElement, { target: { files: event["file"] ? [event["file"]] : [] } }),
    "job.cancel": press(/^Cancel/),
    "import.start": submit(/Import an export|Sending/),
  },
  see(state) {
    const { context } = state;
    const isOffer = ["resting", "downloading", "sending"].some((each) => state.matches(each));
    expect(seen("The last import could not be read.")).toEqual(state.matches("loadFailed"));
    expect(button(/^Download everything \(zip\)/) !== null).toEqual(isOffer);
    expect(input() !== null).toEqual(isOffer);
    const isRunning = state.matches("running") || state.matches("cancelling");
    const isRemoving = isRunning && context.job?.is_removing === true;
    const isComing = isRunning && !isRemoving;
    expect(seen(/^The import was stopped, and what it has imported is being removed\./)).toEqual(isRemoving);
    expect(seen(/^Your export is being imported\./)).toEqual(isComing);
    expect(screen.queryByRole("progressbar", { name: "Import of your export" }) !== null).toEqual(isComing);
    expect(seen(/rows so far\.$/)).toEqual(isComing);
    expect(button(/^Cancel/)?.textContent ?? null).toEqual(
      isComing ? (state.matches("cancelling") ? "Cancelling..." : "Cancel import") : null,
    );
    expect(seen(/^(Your export was imported|An export could not)/)).toEqual(isOffer && context.job !== null);
    if (isOffer || isRunning) expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(context.problem ?? "");
  },
});
