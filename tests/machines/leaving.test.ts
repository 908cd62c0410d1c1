import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "../support/english.ts";
import { startLeaving } from "../../src/app/leaving.ts";
import { createLeaving, isGuarding } from "../../src/machines/leaving/leaving.machine.ts";
import { fakePage, settle } from "../support/page.ts";
import { done, failed, modelOf } from "../support/model.ts";
import { isCalling, walkEveryPath } from "../support/invariants.ts";

const leavingModel = modelOf(createLeaving(fakePage(), { depart: () => {} }), {
  events: [
    { type: "work.unsaved" },
    { type: "work.unsaved", question: "The key is shown only now. Leave without it?" },
    { type: "screen.leave", departure: { kind: "address", to: "/leads" } },
    { type: "screen.leave", departure: { kind: "logOut" } },
    ...["askLogOut", "askConfirmation"].flatMap((question) => [...done(question, true, false), ...failed(question)]),
  ],
});
const QUESTION = "You have unsaved changes. Leave without saving them?";
const UNSENT = "Replies are waiting to be sent. Log out without sending them?";
const UNSAVED_AND_UNSENT = "You have unsaved changes, and replies are waiting to be sent. Log out without them?";
const replies = { "replies.queued": null, "replies.handedOver": null };
const stays = ({ effects }: { effects: object }) => expect(effects).toEqual({});

walkEveryPath(leavingModel, {
  "*": {
    accepts: ["replies.queued", "replies.handedOver"],
    holds: ({ context, before, cause }) =>
      expect(context.areRepliesWaiting).toEqual(
        cause === "replies.queued" || (cause !== "replies.handedOver" && before.areRepliesWaiting),
      ),
  },
  free: {
    accepts: ["work.unsaved", "screen.leave"],
    after: {
      ...replies,
      start: null,
      "work.saved": stays,
      "screen.leave": ({ context, event, effects }) => {
        expect(effects).toMatchObject({ depart: { departure: event.departure } });
        expect([event.departure.kind, context.areRepliesWaiting]).not.toEqual(["logOut", true]);
      },
      "done askLogOut": ({ event, effects }) =>
        expect(effects).toEqual(event.output ? { depart: { departure: { kind: "logOut" } } } : {}),
      "error askLogOut": stays,
      "done askConfirmation": ({ context, event, effects }) => {
        expect(event.output).toEqual(true);
        expect(effects).toEqual({ emit: { type: "work.discarded" }, depart: { departure: context.departure } });
      },
    },
  },
  awaitingLogOut: {
    accepts: ["work.unsaved"],
    after: {
      ...replies,
      "screen.leave": ({ context, event }) =>
        expect([context.departure, context.areRepliesWaiting]).toEqual([event.departure, true]),
    },
    holds: (visit) => {
      expect(visit.context.departure).toEqual({ kind: "logOut" });
      isCalling("askLogOut", { message: UNSENT })(visit);
    },
  },
  guarding: {
    accepts: ["work.saved", "screen.leave"],
    after: {
      ...replies,
      "work.unsaved": ({ context, event }) => expect(context.question).toEqual(event.question ?? null),
      "done askConfirmation": (visit) => {
        stays(visit);
        expect(visit.event.output).toEqual(false);
      },
      "error askConfirmation": stays,
    },
  },
  awaitingAnswer: {
    accepts: ["work.saved"],
    after: {
      ...replies,
      "screen.leave": ({ context: { departure, areRepliesWaiting, question }, event, calls }) => {
        expect(departure).toEqual(event.departure);
        const message = departure?.kind === "logOut" && areRepliesWaiting ? UNSAVED_AND_UNSENT : (question ?? QUESTION);
        isCalling("askConfirmation", { message })({ calls });
      },
    },
  },
});

afterEach(() => window.history.replaceState(null, "", "/"));

/** The guard with the page's own history. `answer` answers the confirmation. */
function guardAt(path: string) {
  window.history.replaceState(null, "", path);
  const questions: string[] = [];
  let decide = (_isConfirmed: boolean) => {};
  const notifier = {
    confirm: (message: UiTextOrString) => {
      questions.push(english(message));
      return new Promise<boolean>((resolve) => (decide = resolve));
    },
  };
  const leaving = startLeaving({ notifier }, { logOut: () => {} });
  onTestFinished(() => leaving.stop());
  return {
    leaving,
    questions,
    leaveFor: (to: string) => leaving.send({ type: "screen.leave", departure: { kind: "address", to } }),
    answer: (isConfirmed: boolean) => (decide(isConfirmed), settle()),
  };
}
const isUnloadAsked = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

describe("leaving a screen", () => {
  it("asks about unsaved changes, also in the browser's dialog, then continues", async () => {
    const { leaving, leaveFor, questions, answer } = guardAt("/stages");
    leaving.send({ type: "work.unsaved" });
    const now = () => [isGuarding(leaving), isUnloadAsked(), window.location.pathname];
    leaveFor("/leads");
    expect([questions, now()]).toEqual([[QUESTION], [true, true, "/stages"]]);
    await answer(false);
    expect(now()).toEqual([true, true, "/stages"]);
    leaveFor("/leads");
    await answer(true);
    expect(now()).toEqual([false, false, "/leads"]);
  });

  it("asks with the screen's own message, and not within the screen", async () => {
    window.history.replaceState(null, "", "/settings#people");
    window.history.pushState(null, "", "/settings#keys");
    const { leaving, leaveFor, questions, answer } = guardAt("/settings#keys");
    leaving.send({ type: "work.unsaved", question: "The key is shown only now. Leave without it?" });
    window.history.back();
    await vi.waitFor(() => expect(window.location.hash).toEqual("#people"));
    expect(questions).toEqual([]);
    leaveFor("/leads");
    await answer(false);
    leaving.send({ type: "work.saved" });
    leaving.send({ type: "work.unsaved" });
    leaveFor("/leads");
    expect(questions).toEqual(["The key is shown only now. Leave without it?", QUESTION]);
  });

  it("removes its listeners when it is stopped", async () => {
    window.history.pushState(null, "", "/leads");
    window.history.pushState(null, "", "/stages");
    const { leaving, questions } = guardAt("/stages");
    leaving.send({ type: "work.unsaved" });
    leaving.stop();
    expect(isUnloadAsked()).toEqual(false);
    window.history.back();
    await vi.waitFor(() => expect(window.location.pathname).toEqual("/leads"));
    expect(questions).toEqual([]);
  });
});
