import { expect, it, vi } from "vitest";
import { createActor } from "xstate";
import { createExclusions, exclusionsMachine } from "../../src/machines/exclusions/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { ada, exclusionsModel } from "./exclusions.model.ts";

walkEveryPath(exclusionsMachine, exclusionsModel);

it("who is restored is told to be there again, or to start anew", async () => {
  const told: string[] = [];
  const restored: unknown[] = [];
  const end = { leadId: "lead-1" as string | null };
  const logic = createExclusions({
    exclusions: {
      list: async () => [ada],
      async restore(input) {
        restored.push(input);
        return end.leadId;
      },
    },
    events: { subscribe: () => () => {} },
    notifier: { toast: (words) => told.push(words), warn: (words) => told.push(words) },
    logger: { warn: () => {} },
  });
  const chart = createActor(logic).start();
  const isReady = () =>
    vi.waitFor(() => expect(chart.getSnapshot().value).toEqual({ list: { shown: "current" }, work: "resting" }));
  await isReady();
  chart.send({ type: "person.restore", telegramUserId: "5001" });
  await isReady();
  end.leadId = null;
  chart.send({ type: "person.restore", telegramUserId: "5001" });
  await isReady();
  expect([told, restored]).toEqual([
    ["The lead is there again.", "Restored. The next message makes a new lead of this person."],
    [{ telegramUserId: "5001" }, { telegramUserId: "5001" }],
  ]);
});
