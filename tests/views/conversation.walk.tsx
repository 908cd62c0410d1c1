import { screen } from "@testing-library/react";
import { expect } from "vitest";
import { createActor } from "xstate";
import type { Message } from "../../domain/message.ts";
import { Composer } from "../../src/machines/composer/composer.machine.ts";
import { Conversation } from "../../src/machines/conversation/conversation.machine.ts";
import { ConversationView } from "../../src/views/conversation/ConversationView.tsx";
import { composerModel } from "../machines/composer.model.ts";
import { conversationModel } from "../machines/conversation.model.ts";
import { press, retryButtonNextTo, seen, toChart } from "../support/screen.ts";
import { leadDetail, messageNumber, messagesFrom } from "../support/messages.ts";
import { scroll } from "../e2e/walks/gestures.ts";
import type { BrowserWalk } from "../e2e/walks/walk.ts";

const log = () => screen.getByRole("group", { name: "Messages" });
const newest = () => screen.queryByRole("button", { name: /^(To the newest message|\d+ new below)$/ });
const retryOlder = () => retryButtonNextTo(/^Older messages/);

const NEWEST = "To the newest message";

const done = (id: string, output: unknown) => ({ type: `xstate.done.actor.${id}`, output });
const failed = (id: string) => ({ type: `xstate.error.actor.${id}`, error: new Error("offline") });
const opened = done("openConversation", {
  lead: leadDetail({ unread: 1 }),
  range: { messages: messagesFrom(21, 80), next: "21" },
});
const changed = { type: "message.changed", id: "81" };
const leadChanged = { type: "lead.changed" };
const arrived = (number: number) =>
  done("readNews", { lead: undefined, newest: { messages: messagesFrom(number - 3, number), next: "9" }, renewed: [] });
const older = (before: string) => done("readOlder", { range: { messages: messagesFrom(1, 20), next: null }, before });
const marked = (upTo: number) => done("markRead", { upTo: String(upTo) });
const accepted = {
  type: "message.accepted",
  message: messageNumber(99, { direction: "out", state: "pending", message_id: null }),
};

export const conversationWalk: BrowserWalk = {
  model: conversationModel,
  // The screen reports its scroll position itself, so generated paths cannot predict the next state.
  journeys: [
    // A removed lead may come back.
    [done("openConversation", null), leadChanged, leadChanged, failed("openConversation"), leadChanged].concat([
      done("openConversation", null),
      leadChanged,
      opened,
      marked(80),
    ]),
    [failed("openConversation"), { type: "reading.retry" }, failed("openConversation"), leadChanged].concat([
      failed("openConversation"),
      changed,
      opened,
      marked(80),
    ]),
    // Every new message is marked as read, also while the previous one is being marked, and after a failure.
    [opened, marked(80), changed, arrived(81), failed("markRead"), changed, arrived(82), changed, arrived(83)].concat([
      marked(82),
      marked(83),
    ]),
    // Scrolled up, the view stays: new messages are counted, and older ones are requested again.
    [opened, marked(80), { type: "bottom.leave" }, failed("readOlder"), changed, arrived(81), changed].concat([
      arrived(82),
      { type: "older.show" },
      older("21"),
      { type: "newest.show" },
      marked(82),
      { type: "bottom.leave" },
      { type: "bottom.reach" },
    ]),
    // An outdated response is dropped.
    [opened, marked(80), { type: "bottom.leave" }, older("long ago"), older("21"), { type: "newest.show" }],
    [opened, marked(80), leadChanged, failed("readNews"), { type: "reading.retry" }].concat([
      failed("readNews"),
      changed,
      failed("readNews"),
      leadChanged,
      failed("readNews"),
      accepted,
      arrived(81),
      marked(81),
      accepted,
      done("readNews", null),
    ]),
  ],
  show: (logic, options) => {
    const composer = createActor(composerModel.machine, {
      input: { leadId: "lead-1", text: "", outgoing: "[]" },
    }).start();
    return (
      <div style={{ display: "grid", height: 700, gridTemplateRows: "minmax(0, 1fr)" }}>
        <Composer.ActorProvider value={composer}>
          <Conversation.Provider logic={logic as typeof conversationModel.machine} options={options}>
            <ConversationView onBack={() => {}} onPanel={() => {}} onDone={() => {}} />
          </Conversation.Provider>
        </Composer.ActorProvider>
      </div>
    );
  },
  gestures: {
    "reading.retry": press(() => retryButtonNextTo(/^The conversation could not be read/)),
    "newest.show": press(newest),
    "older.show": (event) => press(retryOlder).act(retryOlder() as HTMLElement, event),
    "bottom.leave": () => scroll(log(), 0),
    "bottom.reach": () => scroll(log(), log().scrollHeight),
    "message.changed": toChart,
    "message.accepted": toChart,
    "lead.changed": toChart,
  },
  outOfReach: {
    "conversation.marks.resting | messages.see | 0": "the screen says what is seen at the newest end alone",
    "conversation.marks.marking | messages.see | 0": "the screen says what is seen at the newest end alone",
    "conversation.marks.unmarked | messages.see | 0": "the screen says what is seen at the newest end alone",
  },
  see(state) {
    const { range, below, announced } = state.context;
    const isShown = state.matches({ messages: "shown" });
    expect({
      isMissing: seen("There is no such lead"),
      isLoading: screen.queryByRole("status", { name: "Loading the conversation..." }) !== null,
      hasFailed: seen("The conversation could not be read."),
      isOutdated: seen(/^The conversation could not be read again/),
      isUnextended: seen("Older messages could not be read."),
      newest: newest()?.textContent ?? null,
      announced: screen.queryByRole("log")?.textContent ?? null,
    }).toEqual({
      isMissing: state.matches({ messages: "missing" }),
      isLoading: state.matches({ messages: "loading" }),
      hasFailed: state.matches({ messages: "loadFailed" }),
      isOutdated: state.matches({ messages: { shown: "outdated" } }),
      isUnextended: isShown && state.matches({ older: "unextended" }),
      newest: !isShown || state.matches({ place: "following" }) ? null : below > 0 ? `${below} new below` : NEWEST,
      announced: isShown ? announced.map(({ text }: Message) => `Ann Lee: ${text}`).join("") : null,
    });
    if (!isShown || !state.matches({ place: "following" })) return;
    // The newest message is last and in view.
    const last = screen.getAllByRole("listitem").at(-1) as HTMLElement;
    expect(last.textContent?.includes(range.messages.at(-1).text)).toEqual(true);
    const under = last.getBoundingClientRect().bottom - log().getBoundingClientRect().bottom;
    expect(under <= 0 ? "in sight" : `${under} px below`).toEqual("in sight");
  },
};
