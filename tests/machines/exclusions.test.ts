import { expect, it } from "vitest";
import { createExclusions } from "../../src/machines/exclusions/exclusions.machine.ts";
import { failureText } from "../support/model.ts";
import { isCalling, readingInvariants, walkEveryPath } from "../support/invariants.ts";
import { fakePage, openJourney } from "../support/page.ts";
import { ada, exclusionsModel } from "./exclusions.model.ts";

walkEveryPath(exclusionsModel, {
  ...readingInvariants("list.", "listExclusions", "people", {
    starts: ["done restorePerson", "error restorePerson"],
  }),
  "work.resting": {
    accepts: ({ people }) => (people.length > 0 ? ["person.restore"] : []),
    after: {
      start: ({ context }) => expect(context).toEqual({ people: [], active: null, problem: null, about: null }),
      "done restorePerson": ({ context, effects, event }) => {
        expect(context.people).toEqual([]);
        expect(effects["announceRestored"]).toEqual(event.output);
      },
      "error restorePerson": ({ context, before, event }) =>
        expect(context).toEqual({
          ...before,
          active: null,
          problem: failureText(event, "The person may have been restored."),
          about: "5001",
        }),
    },
    holds: ({ context }) => expect(context.active).toEqual(null),
  },
  "work.restoring": {
    after: { "person.restore": ({ context }) => expect([context.active, context.problem]).toEqual(["5001", null]) },
    holds: isCalling("restorePerson", { telegramUserId: "5001" }),
  },
});

it("says whether a restored person is a lead again or starts as a new one", async () => {
  const page = fakePage();
  const answers = ["lead-1", null];
  const restored: unknown[] = [];
  const found: string[] = [];
  const logic = createExclusions(page, {
    exclusions: { list: async () => [ada], restore: async (input) => (restored.push(input), answers.shift() ?? null) },
    onRestored: (leadId) => void found.push(leadId),
  });
  const { go } = await openJourney(logic);
  const restore = { type: "person.restore", telegramUserId: "5001" } as const;
  await go(restore);
  await go(restore);
  expect([page.notices, restored, found]).toEqual([
    ["The lead is there again.", "Restored. The next message makes a new lead of this person."],
    [{ telegramUserId: "5001" }, { telegramUserId: "5001" }],
    ["lead-1"],
  ]);
});
