import { describe, expect, it } from "vitest";
import { english } from "../support/english.ts";
import { createOverdueFollowups } from "../../src/machines/overdue-followups/overdue-followups.machine.ts";
import { namesOf, waitingMessage } from "../../src/machines/overdue-followups/overdue-followups.texts.ts";
import { refusedWith } from "../support/model.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import {
  confirmedInvariant,
  failsWith,
  isCalling,
  isUnchanged,
  readingInvariants,
  walkEveryPath,
} from "../support/invariants.ts";
import { overdue, overdueFollowupsModel } from "./overdue-followups.model.ts";

const NONE = { total: 0, leads: [] };

walkEveryPath(overdueFollowupsModel, {
  ...readingInvariants("list.", "fetchOverdue", "overdue", { starts: ["done planOverdue", "error planOverdue"] }),
  "word.awaited": {
    after: {
      start: ({ context }) => expect(context).toEqual({ overdue: NONE, toConfirm: NONE, problem: null }),
      "done askConfirmation": ({ event, before, context }) => expect([event.output, context]).toEqual([false, before]),
      "error askConfirmation": isUnchanged,
      "done planOverdue": ({ before, context, effects }) => {
        expect(context).toEqual({ ...before, overdue: NONE });
        expect(effects).toEqual({ announcePlanned: 2 });
      },
      "error planOverdue": failsWith(
        "The overdue follow-ups may have been planned. Those still listed were not: try again.",
      ),
    },
    accepts: ({ overdue: { total } }) => (total > 0 ? ["overdue.send"] : []),
  },
  "word.awaitingConfirmation": {
    after: {
      "overdue.send": ({ before, context }) =>
        expect(context).toEqual({ ...before, toConfirm: before.overdue, problem: null }),
    },
    holds: isCalling("askConfirmation", {
      message: "Send the overdue follow-up to 2 leads now, within the allowed hours?",
    }),
  },
  "word.planning": confirmedInvariant("planOverdue", { leadIds: ["lead-1", "lead-2"] }),
});

describe("overdue follow-ups", () => {
  it.each([
    { total: 2, leadIds: ["lead-1", "lead-2"] },
    // The list contains only the first of them.
    { total: 300, leadIds: null },
  ])("sends to all $total leads once the user has confirmed", async ({ total, leadIds }) => {
    const page = fakePage();
    const answers = [{ ...overdue, total }];
    const sent: unknown[] = [];
    const followups = {
      overdue: async () => answers.shift() ?? NONE,
      confirmOverdue: async (input: { leadIds: string[] | null }) => (sent.push(input.leadIds), total),
    };
    const { go, context } = await openJourney(createOverdueFollowups(page, { followups }));
    await go({ type: "overdue.send" });
    expect([sent, page.notices, context().overdue]).toEqual([
      [leadIds],
      [
        ["question", `Send the overdue follow-up to ${total} leads now, within the allowed hours?`],
        `Overdue follow-ups to ${total} leads go out within the allowed hours.`,
      ],
      NONE,
    ]);
  });

  it("refreshes after saved steps or settings, and shows none on an older server", async () => {
    const page = fakePage();
    let notify = () => {};
    const answers = [Promise.reject(refusedWith(404)), Promise.resolve(overdue)];
    const { context } = await openJourney(
      createOverdueFollowups(page, {
        followups: { overdue: () => answers.shift() ?? Promise.resolve(NONE), confirmOverdue: async () => 0 },
        onPlanChanged: (listener) => ((notify = listener), () => {}),
      }),
    );
    expect(context().overdue).toEqual(NONE);
    notify();
    await settle();
    expect([context().overdue, page.logged]).toEqual([overdue, []]);
  });
});

describe("the confirmation", () => {
  it("counts what is overdue", () => {
    expect([waitingMessage(1), waitingMessage(4_000)].map(english)).toEqual([
      "1 follow-up became due while it could not be sent. It is waiting for your approval.",
      "4,000 follow-ups became due while they could not be sent. They are waiting for your approval.",
    ]);
  });

  it("names three at most, and counts the rest", () => {
    expect(namesOf(["Ann", null, " ", "Bob", "Cem", "Dee"], 250)).toEqual({ named: ["Ann", "Bob", "Cem"], more: 247 });
    expect(namesOf(["Ann"], 1)).toEqual({ named: ["Ann"], more: 0 });
  });
});
