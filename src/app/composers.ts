import { msg } from "@lingui/core/runtime-macro";
import * as v from "valibot";
import { createActor } from "xstate";
import type { Message } from "../../domain/message.ts";
import {
  type ComposerRef,
  UNANSWERED,
  createComposer,
  selectHasWaiting,
  selectIsIdle,
} from "../machines/composer/composer.machine.ts";
import { leadIdOf } from "../services/addresses.ts";
import type { ConversationGateway } from "../services/conversation.ts";
import type { Services } from "./services.ts";
import { onSignOut } from "./lifetime.ts";

const STORED = { text: v.string(), saved: v.string(), outgoing: v.string(), file: v.string() };
const BLANK = { text: "", saved: "", outgoing: "[]", file: "" };

/** The reply boxes of the page, one for each lead. They survive a change of screen and stop at sign-out. */
export function createComposers(services: Services, conversation: ConversationGateway) {
  const boxes = new Map<string, ComposerRef>();
  const shown = new Map<string, number>();
  const listeners = new Map<string, Set<(message: Message) => void>>();
  const { drafts, leaving, notifier } = services;
  const draftOf = (leadId: string) => drafts.of(`reply.${leadId}`, STORED);
  const logic = createComposer(services, {
    composer: conversation,
    keep: (leadId, draft) => draftOf(leadId).write(draft, BLANK),
    onAccepted: (leadId, message) => listeners.get(leadId)?.forEach((listener) => listener(message)),
    onUnsent(leadId, reason) {
      if (leadIdOf(window.location.pathname) === leadId) return;
      const isUnknown = reason === UNANSWERED;
      notifier.warn(
        isUnknown ? msg`No answer came to a reply. It may have been sent.` : msg`A reply was not taken. ${{ reason }}`,
      );
    },
  });
  let areWaiting = false;
  const notifyWaiting = () => {
    const are = [...boxes.values()].some((box) => selectHasWaiting(box.getSnapshot()));
    if (are === areWaiting) return;
    areWaiting = are;
    leaving.send({ type: are ? "replies.queued" : "replies.handedOver" });
  };
  onSignOut(services, () => {
    for (const box of boxes.values()) box.stop();
    boxes.clear();
    shown.clear();
    notifyWaiting();
  });
  const dropIfIdle = (leadId: string) => {
    const box = boxes.get(leadId);
    // An actor that no screen uses yet is about to be used.
    if (box === undefined || shown.get(leadId) !== 0 || !selectIsIdle(box.getSnapshot())) return;
    box.stop();
    boxes.delete(leadId);
    shown.delete(leadId);
  };
  return {
    /** Returns the lead's reply box, with the text typed earlier. */
    of(leadId: string): ComposerRef {
      const known = boxes.get(leadId);
      if (known !== undefined) return known;
      const draft = { ...BLANK, ...draftOf(leadId).read() };
      const box = createActor(logic, { input: { leadId, ...draft } });
      boxes.set(leadId, box);
      box.subscribe(() => {
        dropIfIdle(leadId);
        notifyWaiting();
      });
      return box.start();
    },
    /** Keeps the box alive while it is shown. Returns a function that releases it; the actor stops once everything is on the server. */
    hold(leadId: string): () => void {
      shown.set(leadId, (shown.get(leadId) ?? 0) + 1);
      return () => {
        const count = shown.get(leadId);
        // The user has signed out, which stopped the boxes.
        if (count === undefined) return;
        shown.set(leadId, count - 1);
        dropIfIdle(leadId);
      };
    },
    onAccepted(leadId: string, listener: (message: Message) => void): () => void {
      const ofLead = listeners.get(leadId) ?? new Set();
      listeners.set(leadId, ofLead.add(listener));
      return () => {
        ofLead.delete(listener);
        if (ofLead.size === 0) listeners.delete(leadId);
      };
    },
  };
}
