import { i18n } from "@lingui/core";
import { fireEvent, screen, within } from "@testing-library/react";
import { expect, vi } from "vitest";
import { type ActorRefFrom, type AnyEventObject, createActor } from "xstate";
import { Composer } from "../../src/machines/composer/composer.machine.ts";
import type { Outgoing } from "../../src/machines/composer/composer.outgoing.ts";
import { Conversation } from "../../src/machines/conversation/conversation.machine.ts";
import type { Opened } from "../../src/machines/conversation/conversation.reads.ts";
import { ComposerView } from "../../src/views/conversation/ComposerView.tsx";
import { MessageLog } from "../../src/views/conversation/MessageLog.tsx";
import { composerModel, failedMessage } from "../machines/composer.model.ts";
import { conversationModel } from "../machines/conversation.model.ts";
import { fill, press, seen } from "../support/screen.ts";
import { leadDetail } from "../support/messages.ts";
import { answering } from "../support/model.ts";
import type { WalkedView } from "../support/walk-view.tsx";
import { type UiTextOrString, translate } from "../../domain/ui-text.ts";

/** Translates with this module's i18n: the browser build loads texts from catalogues. */
const shownText = (text: UiTextOrString) => translate(text, i18n);

const box = () => screen.queryByRole<HTMLTextAreaElement>("textbox", { name: "Reply" });
const button = (name: string) => () => screen.queryByRole("button", { name });
const replies = () => screen.queryAllByRole("listitem").slice(1);

/** Returns a button on a refused reply's bubble. */
const way = (name: string) => (event: AnyEventObject) => {
  const bubble = replies()[composer.getSnapshot().context.outgoing.findIndex(({ key }) => key === event["key"])];
  return bubble === undefined ? null : within(bubble).queryByRole("button", { name });
};

/** Clicks while the next reply gets this key. */
function clickWithKey(control: HTMLElement, key: unknown) {
  vi.spyOn(crypto, "getRandomValues").mockReturnValue(new Uint8Array(16).fill(Number(String(key).slice(0, 2))));
  return fireEvent.click(control);
}

const opened: Opened = { lead: leadDetail(), range: { messages: [failedMessage], next: null } };
const conversation = answering(conversationModel.machine, { openConversation: () => opened });
let composer: ActorRefFrom<typeof composerModel.machine>;

export const composerWalk: WalkedView = {
  model: composerModel,
  show: (logic, options) => {
    // Keys and times of replies are new each time; the walk uses those of the path.
    vi.spyOn(Date.prototype, "toISOString").mockReturnValue("2026-03-05T11:00:00.000Z");
    composer = createActor(logic as typeof composerModel.machine, options).start();
    return (
      <div style={{ display: "grid", height: 700, gridTemplateRows: "auto minmax(0, 1fr) auto" }}>
        <div />
        <Composer.ActorProvider value={composer}>
          <Conversation.Provider logic={conversation} options={{ input: { leadId: "lead-1" } }}>
            <MessageLog name="Ann Lee" isPanelOpen={false} />
            <ComposerView />
          </Conversation.Provider>
        </Composer.ActorProvider>
      </div>
    );
  },
  gestures: {
    "text.change": fill(
      ({ text }) => (box()?.value === text ? null : box()),
      ({ text }) => text,
    ),
    "draft.takeOther": press(button("Use it instead")),
    "draft.keepOwn": press(button("Keep mine")),
    "draft.offer": (event) => composer.send(event as never),
    "file.attach": {
      control: button("Attach a picture or video"),
      act: (_control, { file }) =>
        fireEvent.change(screen.getByLabelText("Picture or video"), { target: { files: [file] } }),
    },
    "file.remove": press(button("Remove the file")),
    "reply.send": { control: button("Send"), act: (control, { key }) => clickWithKey(control, key) },
    "reply.retry": {
      control: way("Try again"),
      act: (control, { newKey }) => clickWithKey(control, newKey),
    },
    "reply.discard": press(way("Remove")),
    "reply.edit": press(way("Edit")),
    "message.again": {
      control: () => {
        const bubble = screen.queryAllByRole("listitem")[0];
        return bubble === undefined ? null : within(bubble).queryByRole("button", { name: "Try again" });
      },
      act: (control, { key }) => clickWithKey(control, key),
    },
  },
  see({ value, context }) {
    const { text, file, refusedFile, otherDraft } = context;
    const other =
      screen.queryByText(/^Another draft was saved for this lead:/)?.querySelector("q")?.textContent ?? null;
    expect(other).toEqual(typeof value === "object" && value["draft"] === "contested" ? otherDraft : null);
    const outgoing = context.outgoing as Outgoing[];
    expect(box()?.value).toEqual(text);
    expect(screen.queryAllByRole("img", { name: /^Preview of/ })).toHaveLength(
      [file, ...outgoing.map((reply) => reply.file)].filter(Boolean).length,
    );
    expect(seen(shownText(refusedFile ?? "no refusal"))).toEqual(refusedFile !== null);
    const signs = { waiting: "Waits to be sent", posting: "Waits to be sent", refused: "Not sent" };
    const named = { ...signs, unanswered: "Not known whether it was sent" };
    for (const [place, { status }] of outgoing.entries())
      expect(replies()[place] && within(replies()[place] as HTMLElement).queryByText(named[status]) !== null).toEqual(
        true,
      );
    expect(replies()).toHaveLength(outgoing.length);
  },
};
