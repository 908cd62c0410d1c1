import { i18n } from "@lingui/core";
import { screen } from "@testing-library/react";
import { expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { Selection } from "../../src/machines/selection/selection.machine.ts";
import type { BatchWhere } from "../../src/services/batch.ts";
import { BatchBar } from "../../src/views/lead-tools/BatchBar.tsx";
import { HeaderCheckbox, RowCheckbox } from "../../src/views/lead-tools/selection-cells.tsx";
import { selectionModel } from "../machines/selection.model.ts";
import { button, over, press, seen, toChart } from "../support/screen.ts";
import { leadsUpTo, twoStages } from "../support/leads.ts";
import type { WalkedView } from "../support/walk-view.tsx";
import { type UiTextOrString, translate } from "../../domain/ui-text.ts";

/** Translates with this module's i18n: the browser build loads texts from catalogues. */
const shownText = (text: UiTextOrString) => translate(text, i18n);

export const tick = (name: string) => screen.queryByRole<HTMLInputElement>("checkbox", { name });
const sales = { id: "tag-1", name: "Sales", color: "#0b6e5f", leads: 0 };

export const Table = ({
  count = 2,
  onMessage = () => {},
}: {
  count?: number;
  onMessage?: (where: BatchWhere) => void;
}) => (
  <>
    <table>
      <thead>
        <tr>
          <HeaderCheckbox />
        </tr>
      </thead>
      <tbody>
        {leadsUpTo(count).map((lead) => (
          <tr key={lead.id}>
            <RowCheckbox lead={lead} />
          </tr>
        ))}
      </tbody>
    </table>
    <BatchBar stages={twoStages} tags={[sales]} onMessage={onMessage} />
  </>
);

const screenModel = {
  ...selectionModel,
  allow: (state: AnyMachineSnapshot, event: { type: string }) =>
    event.type !== "xstate.error.actor.watchJobs" &&
    !(event.type === "batch.start" && state.context.ids.length === 0) &&
    (selectionModel.allow?.(state, event) ?? true),
};

export const selectionWalk: WalkedView = {
  model: screenModel,
  outOfReach: {
    "selection.work | xstate.error.actor.watchJobs | 0": "the walk's own news never fail",
    "selection.work.resting | batch.start | 0": "with nobody chosen there is no button",
  },
  show: over(Selection, <Table />),
  gestures: {
    "list.shown": toChart,
    "lead.toggle": press(() => tick("Select Lead 1")),
    "lead.extend": toChart,
    "page.toggle": press(() => tick("Select all on this page")),
    "matching.select": press(/^Select all .* that match$/),
    "selection.clear": press(() => button("Clear selection") ?? button("Close")),
    "batch.start": press((event) =>
      button((event["action"] as { type: string }).type === "exclude" ? /^Not/ : /^Move/),
    ),
    "batch.undo": toChart,
    "job.changed": toChart,
    "job.cancel": press("Stop"),
  },
  see(state) {
    const { ids, isAll, shown, job, problem } = state.context;
    expect(tick("Select Lead 1")?.checked).toEqual(ids.includes("lead-1"));
    const count = isAll ? shown.total : ids.length;
    const isIdle = state.matches({ work: "resting" });
    const label = isAll ? `All ${count} that match` : `${count} selected`;
    expect(seen(label)).toEqual(count > 0);
    expect(seen("Working…")).toEqual(!isIdle && job === null);
    expect(screen.queryByRole("progressbar") !== null).toEqual(!isIdle && job !== null);
    expect(seen(shownText(problem ?? "no such words"))).toEqual(problem !== null);
    expect(button("Close") !== null).toEqual(problem !== null && count === 0);
  },
};
