import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AnyActorRef, AnyEventObject, AnyMachineSnapshot } from "xstate";
import { type WalkedView, disagreementsInPairs } from "../support/walk-view.tsx";
import { composerWalk } from "../walks/composer.walk.tsx";
import { conversationWalk } from "../walks/conversation.walk.tsx";

// As much of a layout as shows the rows of a list, and of a scroller as can be told to scroll.
beforeEach(() => {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(700);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(700);
  Element.prototype.scrollTo = () => {};
});

/** The walk, and what sends an event to its chart as nothing on a screen without a layout can. */
function withDirect(walk: WalkedView) {
  let chart: AnyActorRef | undefined;
  const show: WalkedView["show"] = (services, options) => {
    chart = undefined;
    const inspect: typeof options.inspect = (event) => {
      if (event.type === "@xstate.actor") chart ??= event.actorRef as AnyActorRef;
      options.inspect(event);
    };
    return walk.show(services, { ...options, inspect });
  };
  return { show, direct: (event: AnyEventObject) => chart?.send(event) };
}

/** What stands before the eyes says so, and so does what is missing above it. */
function readsOn(state: AnyMachineSnapshot, cause: AnyEventObject): AnyEventObject | null {
  if (!state.matches({ messages: "shown" })) return null;
  const { stretch, seen } = state.context;
  const older = { type: "older.show" };
  if (state.can(older) && !state.matches({ older: "unextended" })) return older;
  const upTo = stretch.messages.findLast((message: { direction: string }) => message.direction === "in")?.id;
  const see = { type: "messages.see", upTo };
  const isNew = upTo !== seen || /^(newest\.show|bottom\.reach)$/.test(cause.type);
  return isNew && state.matches({ place: "following" }) && state.can(see) ? see : null;
}

describe("every pair of regions' states, of a screen whose paths are walked in a browser", () => {
  it("the composer", async () => expect(await disagreementsInPairs(composerWalk)).toEqual([]));

  it("the conversation", async () => {
    const { show, direct } = withDirect(conversationWalk);
    const walk: WalkedView = {
      ...conversationWalk,
      show,
      gestures: { ...conversationWalk.gestures, "bottom.leave": direct, "bottom.reach": direct },
      reflex: readsOn,
      allowBeside: (state, event) =>
        (event.type !== "older.show" || state.matches({ older: "unextended" })) &&
        // What is not shown is not scrolled.
        (!event.type.startsWith("bottom.") || state.matches({ messages: "shown" })) &&
        // What was marked is what was asked for.
        (event.type !== "xstate.done.actor.markRead" || event["output"].upTo === state.context.seen),
    };
    expect(await disagreementsInPairs(walk)).toEqual([]);
  });
});
