import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import type { OverdueFollowups } from "../../domain/followup.ts";
import {
  type OverdueGateway,
  createOverdueFollowups,
  namesOf,
  overdueFollowupsMachine,
  waitingWords,
} from "../../src/machines/overdue-followups/index.ts";
import type { Invariants } from "../support/invariants.ts";
import { isCalling, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { overdue, overdueFollowupsModel } from "./overdue-followups.model.ts";

const NONE = { total: 0, leads: [] };

const invariants: Invariants<typeof overdueFollowupsMachine> = {
  ...readingInvariants("list.", "fetchOverdue", "overdue", { starts: ["done planOverdue", "error planOverdue"] }),
  "word.awaited": {
    after: {
      start: ({ context }) => expect(context).toEqual({ overdue: NONE, asked: NONE, problem: null }),
      "done askConfirmation": ({ event, before, context }) => expect([event.output, context]).toEqual([false, before]),
      "error askConfirmation": ({ before, context }) => expect(context).toEqual(before),
      "done planOverdue": ({ before, context, effects }) => {
        expect(context).toEqual({ ...before, overdue: NONE });
        expect(effects).toEqual({ announcePlanned: { planned: 2 } });
      },
      "error planOverdue": ({ before, context }) =>
        expect(context).toEqual({ ...before, problem: "Try again in a moment." }),
    },
    accepts: ({ overdue: { total } }) => (total > 0 ? ["overdue.send"] : []),
  },
  "word.awaitingConfirmation": {
    after: {
      "overdue.send": ({ before, context }) =>
        expect(context).toEqual({ ...before, asked: before.overdue, problem: null }),
    },
    holds: isCalling("askConfirmation", {
      message: "Send the overdue follow-up to 2 leads now, within the allowed hours?",
    }),
  },
  "word.planning": {
    after: { "done askConfirmation": ({ event }) => expect(event.output).toEqual(true) },
    holds: isCalling("planOverdue", { leadIds: ["lead-1", "lead-2"] }),
  },
};

walkEveryPath(overdueFollowupsMachine, overdueFollowupsModel, invariants);

function startOverdue(answers: OverdueFollowups[], gateway: Partial<OverdueGateway> = {}) {
  const calls: unknown[] = [];
  let tell = () => {};
  const logic = createOverdueFollowups({
    followups: {
      overdue: async () => answers.shift() ?? { total: 0, leads: [] },
      confirmOverdue: async ({ leadIds }) => {
        calls.push(leadIds);
        return leadIds?.length ?? 300;
      },
      ...gateway,
    },
    news: {
      onPlanChanged: (listener) => {
        tell = listener;
        return () => calls.push("deaf");
      },
    },
    notifier: {
      warn: (message) => calls.push(`warn: ${message}`),
      toast: (message) => calls.push(`toast: ${message}`),
      confirm: async (message) => calls.push(`confirm: ${message}`) > 0,
    },
    onReturn: () => () => {},
    logger: { warn: (what) => calls.push(`log: ${what}`) },
  });
  const actor = createActor(logic).start();
  const is = (state: "absent" | "awaitingWord") =>
    waitFor(
      actor,
      (snapshot) =>
        snapshot.matches({ list: { shown: "current" }, word: "awaited" }) &&
        snapshot.context.overdue.total > 0 === (state === "awaitingWord"),
    );
  return { actor, calls, is, tell: () => tell() };
}

describe("overdue follow-ups", () => {
  it("go to the leads that were shown, once the person has confirmed", async () => {
    const { actor, calls, is } = startOverdue([overdue]);
    await is("awaitingWord");
    actor.send({ type: "overdue.send" });
    await is("absent");
    expect(calls).toEqual([
      "confirm: Send the overdue follow-up to 2 leads now, within the allowed hours?",
      ["lead-1", "lead-2"],
      "toast: Overdue follow-ups to 2 leads go out within the allowed hours.",
    ]);
  });

  it("go to every lead where the list holds the first of them only", async () => {
    const { actor, calls, is } = startOverdue([{ ...overdue, total: 300 }]);
    await is("awaitingWord");
    actor.send({ type: "overdue.send" });
    await is("absent");
    expect(calls.slice(1)).toEqual([null, "toast: Overdue follow-ups to 300 leads go out within the allowed hours."]);
  });

  it("are looked for again when steps or settings were saved", async () => {
    const { actor, calls, is, tell } = startOverdue([{ total: 0, leads: [] }, overdue]);
    await is("absent");
    tell();
    await is("awaitingWord");
    expect(actor.getSnapshot().context.overdue).toEqual(overdue);
    actor.stop();
    expect(calls).toEqual(["deaf"]);
  });

  it("are none where the server does not know the call", async () => {
    const none = Object.assign(new Error("none"), { status: 404 });
    const { calls, is } = startOverdue([], { overdue: () => Promise.reject(none) });
    await is("absent");
    expect(calls).toEqual([]);
  });
});

describe("the words", () => {
  it("count what waits", () => {
    expect([waitingWords(1), waitingWords(4_000)]).toEqual([
      "1 follow-up became due while it could not go out. It waits for your word.",
      "4,000 follow-ups became due while they could not go out. They wait for your word.",
    ]);
  });

  it("name three at most and count the rest", () => {
    expect(namesOf(["Ann", null, " ", "Bob", "Cem", "Dee"], 250)).toEqual({ named: ["Ann", "Bob", "Cem"], more: 247 });
    expect(namesOf(["Ann"], 1)).toEqual({ named: ["Ann"], more: 0 });
  });
});
