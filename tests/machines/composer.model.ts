import type { AnyMachineSnapshot } from "xstate";
import { type ComposerParts, createComposer } from "../../src/machines/composer/composer.machine.ts";
import type { Outgoing } from "../../src/machines/composer/composer.outgoing.ts";
import { messageNumber } from "../support/messages.ts";
import { done, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const never = () => new Promise<never>(() => {});
/** A reply box with pending services. */
export const idleComposer: ComposerParts = {
  composer: { reply: never, saveDraft: never, readFile: never },
  onAccepted: () => {},
  onUnsent: () => {},
  keep: () => {},
};

const at = "2026-03-05T11:00:00.000Z";
export const picture = new File(["picture"], "picture.png", { type: "image/png" });
const program = new File(["program"], "program.exe", { type: "application/x-msdownload" });
export const failedMessage = messageNumber(7, {
  direction: "out",
  text: "Failed before",
  state: "failed",
  reason: "USER_IS_BLOCKED",
  message_id: null,
});

/** Keys as `newKey` makes them of 16 equal bytes. */
export const KEYS = ["01".repeat(16), "02".repeat(16)] as const;

const isTyping = (snapshot: AnyMachineSnapshot) => !snapshot.matches({ draft: "settled" });
const isPosting = (snapshot: AnyMachineSnapshot) => snapshot.matches({ post: "posting" });

export const composerModel = modelOf(createComposer(fakePage(), idleComposer), {
  input: { leadId: "lead-1", text: "", outgoing: "[]" },
  events: [
    { type: "text.change", text: "Hello" },
    { type: "text.change", text: "" },
    { type: "draft.offer", text: "From before" },
    { type: "draft.offer", text: "Newer" },
    { type: "draft.offer", text: null },
    { type: "file.attach", file: picture },
    { type: "file.attach", file: program },
    { type: "reply.send", key: KEYS[0], at },
    { type: "reply.retry", key: KEYS[0], newKey: KEYS[0] },
    { type: "reply.discard", key: KEYS[0] },
    { type: "reply.edit", key: KEYS[0] },
    { type: "message.again", message: failedMessage, key: KEYS[1], at },
    { type: "draft.takeOther" },
    { type: "draft.keepOwn" },
    ...done(
      "saveDraft",
      { text: "Hello", isOtherDraft: false },
      { text: "", isOtherDraft: false },
      { text: "From before", isOtherDraft: true },
    ),
    ...done("postReply", { kind: "accepted", message: messageNumber(9) }, { kind: "refused", reason: "Not now." }),
  ],
  project: ({ value, context: { text, file, refusedFile, saved, offered, otherDraft, outgoing } }) => [
    value,
    otherDraft !== "",
    text !== "",
    offered !== null,
    text === (saved ?? ""),
    saved === null,
    file !== null,
    refusedFile !== null,
    outgoing.map(({ status }: Outgoing) => status),
  ],
  // One reply at a time, and no file while the draft is saved: each region is walked while the other is idle.
  allow: (snapshot, { type }) => {
    const { outgoing, file, refusedFile } = snapshot.context;
    if (/^(reply\.send|message\.again)/.test(type) && outgoing.length > 0) return false;
    if (type.startsWith("file") && (outgoing.length > 0 || isTyping(snapshot))) return false;
    if (/^(text|draft)|saveDraft|draftPause/.test(type))
      return !isPosting(snapshot) && file === null && refusedFile === null;
    return !isTyping(snapshot) || type === "reply.send" || type === "reply.edit" || isPosting(snapshot);
  },
  delays: { draftPause: 1_000 },
});
