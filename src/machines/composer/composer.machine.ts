import { msg } from "@lingui/core/runtime-macro";
import { type ActorRefFrom, type SnapshotFrom, assign, fromPromise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { MESSAGE_MAX_CHARS, textLimit } from "../../../domain/limits.ts";
import type { Message } from "../../../domain/message.ts";
import { failureOf } from "../../../domain/problem.ts";
import type { ConversationGateway } from "../../services/conversation.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { fileProblem } from "./composer.attaching.ts";
import { type Outgoing, again, isEditable, storedOutgoing, outgoingOf } from "./composer.outgoing.ts";

/** The part of a reply box that survives a reload; `saved` is the server's draft that `text` replaces. */
type ComposerDraft = { text: string; saved: string; outgoing: string; file: string };

export type ComposerParts = {
  /** Shared by the whole page: a draft may still be saving when the user enters the screen again. */
  composer: Pick<ConversationGateway, "reply" | "readFile" | "saveDraft">;
  onAccepted(leadId: string, message: Message): void;
  /** Called when the server does not accept a reply, so that it is reported on other screens too. */
  onUnsent(leadId: string, reason: UiTextOrString): void;
  /** Stores the text and the unsent replies for a reload. */
  keep(leadId: string, kept: ComposerDraft): void;
};

/** The draft on the server after a save; `isOtherDraft`: another writer changed it first, so the save was refused. */
type SavedDraft = { text: string; isOtherDraft: boolean };

/** The outcome of sending a reply. */
type SendOutcome = { kind: "accepted"; message: Message } | { kind: "refused"; reason: UiTextOrString };

export const UNANSWERED = msg`No answer came. It is not known whether this was sent.`;

type ComposerContext = {
  leadId: string;
  text: string;
  file: File | null;
  /** The name of an attached file that a reload lost; empty when there is none. */
  lostFile: string;
  /** Why a file was not attached. */
  refusedFile: UiTextOrString | null;
  /** The draft on the server; null until it is known. */
  saved: string | null;
  /** A draft from the server, shown unedited; null when the user typed the text. */
  offered: string | null;
  /** The server's draft while the user types a different one. */
  otherDraft: string;
  /** Replies that the server has not accepted yet, oldest first. */
  outgoing: readonly Outgoing[];
};

const isUnsent = ({ status }: Outgoing) => status === "refused" || status === "unanswered";
const withKey = ({ outgoing }: ComposerContext, key: string, change: (reply: Outgoing) => Outgoing) =>
  outgoing.map((reply) => (reply.key === key ? change(reply) : reply));
const withPosting = ({ outgoing }: ComposerContext, change: Partial<Outgoing>) =>
  outgoing.map((reply) => (reply.status === "posting" ? { ...reply, ...change } : reply));

/** A refused retry says nothing about the attempt before it, which may have been sent: the key stays. */
const refusalAfter = ({ outgoing }: ComposerContext, reason: UiTextOrString): Partial<Outgoing> =>
  outgoing.some(({ status, isRepeated }) => status === "posting" && isRepeated === true)
    ? { status: "unanswered", reason: msg`It is not known whether this was sent. ${{ reason }}` }
    : { status: "refused", reason };

/** Returns by how many characters the text is too long; 0 when it fits. */
export const excessOf = ({ text, file }: { text: string; file: File | null }): number =>
  Math.max(0, text.length - textLimit(file !== null));

const NO_ANSWER: SendOutcome = { kind: "refused", reason: UNANSWERED };
/** Stores what the user typed. An unedited draft is not stored: it follows the server. */
const keeping = {
  type: "keep",
  params: ({ context: { leadId, text, saved, offered, file, lostFile, outgoing } }: { context: ComposerContext }) => ({
    leadId,
    text: text === offered ? "" : text,
    saved: text === "" || text === offered ? "" : (saved ?? ""),
    file: file?.name ?? lostFile,
    outgoing: storedOutgoing(outgoing),
  }),
} as const;
/** Edits that the box accepts in each state of the draft. */
const editing = {
  "text.change": { guard: withEvent("isOtherText"), actions: [withEvent("storeText"), keeping] },
  "reply.send": { guard: "canSend", actions: [withEvent("queueReply"), keeping] },
  "reply.edit": { guard: withEvent("isEditable"), actions: [withEvent("takeBack"), keeping] },
} as const;
const outcomeOf = ({ context: { leadId }, event }: { context: ComposerContext; event: { output: SendOutcome } }) => ({
  leadId,
  outcome: event.output,
});

/** Whether the box may show a draft from the server: it holds nothing that the user typed. */
const isWelcome = ({ text, offered, file }: ComposerContext, draft: string) =>
  (text === "" || text === offered) && file === null && draft !== text;

/**
 * The reply box of one lead, for as long as the page is open. Text is stored on the device at once and on the server after a pause.
 * Until the user types, the box follows the server's draft. After that, a different draft on the server is shown beside the text, and
 * the user chooses one. Replies are sent one at a time, each with its idempotency key: a refused reply is retried with a new key, an
 * unanswered one with the same key, so that it cannot be sent twice.
 */
export const createComposer = (page: Page, { composer, onAccepted, onUnsent, keep }: ComposerParts) =>
  setup({
    types: {
      /** `file`: the name of the attached file. */
      input: {} as Pick<ComposerDraft, "text" | "outgoing"> & Partial<ComposerDraft> & { leadId: string },
      context: {} as ComposerContext,
      events: {} as
        | { type: "text.change"; text: string }
        /** the server's draft for this lead */
        | { type: "draft.offer"; text: string | null }
        | { type: "draft.takeOther" }
        | { type: "draft.keepOwn" }
        | { type: "file.attach"; file: File }
        | { type: "file.remove" }
        | { type: "reply.send"; key: string; at: string }
        | { type: "reply.retry"; key: string; newKey: string }
        | { type: "reply.discard"; key: string }
        | { type: "reply.edit"; key: string }
        | { type: "message.again"; message: Message; key: string; at: string },
    },
    actors: {
      postReply: fromPromise<SendOutcome, { leadId: string; reply: Outgoing | undefined }>(
        async ({ input: { leadId, reply } }) => {
          if (reply === undefined) throw new Error("nothing is to be sent");
          try {
            const file =
              reply.file === null || reply.file instanceof File ? reply.file : await composer.readFile(reply.file);
            const message = await composer.reply({ leadId, text: reply.text, file, key: reply.key });
            return { kind: "accepted", message };
          } catch (error) {
            const { status, message } = failureOf(error);
            // A 408 does not say whether the reply was sent.
            if (status === null || status === 408 || status >= 500) throw error;
            return { kind: "refused", reason: message ?? msg`The message was not taken.` };
          }
        },
      ),
      saveDraft: fromPromise<SavedDraft, { leadId: string; text: string; over: string }>(async ({ input }) => {
        const otherDraft = await composer.saveDraft(input);
        return { text: otherDraft ?? input.text, isOtherDraft: otherDraft !== null };
      }),
    },
    actions: {
      storeText: assign((_, params: { text: string }) => ({ text: params.text, offered: null })),
      takeOffer: assign((_, { text }: { text: string | null }) => ({
        text: text ?? "",
        saved: text ?? "",
        offered: text === "" ? null : text,
      })),
      takeOther: assign(({ context: { otherDraft } }) => ({
        text: otherDraft,
        saved: otherDraft,
        offered: otherDraft,
        otherDraft: "",
      })),
      dismissOther: assign(({ context }) => ({ saved: context.otherDraft, otherDraft: "" })),
      storeOther: assign((_, { text }: { text: string }) => ({ otherDraft: text })),
      noteSaved: assign((_, { text }: { text: string | null }) => ({ saved: text ?? "" })),
      storeSaved: assign((_, params: { text: string }) => ({ saved: params.text })),
      attach: assign((_, { file }: { file: File }) => ({ file, lostFile: "", refusedFile: null })),
      refuseFile: assign((_, { file }: { file: File }) => ({ refusedFile: fileProblem(file) ?? null })),
      removeFile: assign({ file: null, lostFile: "", refusedFile: null }),
      queueReply: assign(({ context }, { key, at }: { key: string; at: string }) => ({
        outgoing: [
          ...context.outgoing,
          {
            key,
            text: context.text.trim(),
            file: context.file,
            at,
            status: "waiting" as const,
            reason: null,
            hasLostFile: false,
          },
        ],
        text: "",
        offered: null,
        file: null,
        lostFile: "",
        refusedFile: null,
      })),
      queueAgain: assign(({ context }, params: { message: Message; key: string; at: string }) => ({
        outgoing: [...context.outgoing, again(params.message, params.key, params.at)],
      })),
      startPosting: assign(({ context }) => {
        const first = context.outgoing.find(({ status }) => status === "waiting");
        return { outgoing: withKey(context, first?.key ?? "", (reply) => ({ ...reply, status: "posting" as const })) };
      }),
      dropPosted: assign(({ context }) => ({
        outgoing: context.outgoing.filter(({ status }) => status !== "posting"),
      })),
      refusePosted: assign(({ context }, outcome: SendOutcome) => ({
        outgoing: withPosting(context, refusalAfter(context, outcome.kind === "refused" ? outcome.reason : "")),
      })),
      leavePostedUnanswered: assign(({ context }) => ({
        outgoing: withPosting(context, { status: "unanswered", reason: UNANSWERED }),
      })),
      queueRetry: assign(({ context }, { key, newKey }: { key: string; newKey: string }) => ({
        outgoing: withKey(context, key, (reply) => ({
          ...reply,
          key: reply.status === "refused" ? newKey : key,
          status: "waiting" as const,
          reason: null,
          isRepeated: reply.status === "unanswered",
        })),
      })),
      discard: assign(({ context }, params: { key: string }) => ({
        outgoing: context.outgoing.filter(({ key }) => key !== params.key),
      })),
      takeBack: assign(({ context }, params: { key: string }) => {
        const reply = context.outgoing.find(({ key }) => key === params.key);
        return {
          text: reply?.text ?? "",
          offered: null,
          file: reply?.file instanceof File ? reply.file : null,
          outgoing: context.outgoing.filter(({ key }) => key !== params.key),
        };
      }),
      keep: (_, { leadId, ...kept }: ComposerDraft & { leadId: string }) => keep(leadId, kept),
      reportOutcome: (_, { leadId, outcome }: { leadId: string; outcome: SendOutcome }) =>
        outcome.kind === "accepted" ? onAccepted(leadId, outcome.message) : onUnsent(leadId, outcome.reason),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isOtherText: ({ context }, params: { text: string }) => params.text !== context.text,
      isWelcome: ({ context }, { text }: { text: string | null }) => isWelcome(context, text ?? ""),
      isSame: ({ context }, { text }: { text: string | null }) => (text ?? "") === context.text,
      // Only the server knows whether this draft is another writer's or older than the last save. A save that failed before may work now.
      isUnheardOf: ({ context: { text, saved } }, { text: otherDraft }: { text: string | null }) =>
        ((otherDraft !== null && otherDraft !== "" && otherDraft !== saved) || text !== (saved ?? "")) &&
        text.length <= MESSAGE_MAX_CHARS,
      isWelcomeOther: ({ context }, { text, isOtherDraft }: SavedDraft) => isOtherDraft && isWelcome(context, text),
      isOtherDraft: ({ context }, { text, isOtherDraft }: SavedDraft) =>
        isOtherDraft && text !== "" && text !== context.text,
      isSendable: (_, { file }: { file: File }) => fileProblem(file) === undefined,
      hasFile: ({ context }) => context.file !== null,
      canSend: ({ context }) => (context.text.trim() !== "" || context.file !== null) && excessOf(context) === 0,
      hasWaiting: ({ context }) => context.outgoing.some(({ status }) => status === "waiting"),
      isRetriable: ({ context }, params: { key: string }) =>
        context.outgoing.some((reply) => reply.key === params.key && isUnsent(reply) && !reply.hasLostFile),
      isUnsent: ({ context }, params: { key: string }) =>
        context.outgoing.some((reply) => reply.key === params.key && isUnsent(reply)),
      // An unanswered reply may have been sent: an edited copy could arrive twice.
      isEditable: ({ context }, params: { key: string }) =>
        context.text === "" &&
        context.file === null &&
        context.outgoing.some((reply) => reply.key === params.key && isEditable(reply)),
      isFailed: ({ context }, { message }: { message: Message }) =>
        (message.state === "failed" || message.state === "unknown") &&
        context.outgoing.every(({ text }) => text !== message.text),
      isAccepted: (_, outcome: SendOutcome) => outcome.kind === "accepted",
      isUnsaved: ({ context }) => context.text !== (context.saved ?? "") && context.text.length <= MESSAGE_MAX_CHARS,
    },
    delays: { draftPause: 1_000 },
  }).createMachine({
    id: "composer",
    context: ({ input }) => ({
      leadId: input.leadId,
      text: input.text,
      file: null,
      lostFile: input.file ?? "",
      refusedFile: null,
      saved: input.saved || null,
      offered: null,
      otherDraft: "",
      outgoing: outgoingOf(input.outgoing),
    }),
    type: "parallel",
    states: {
      draft: {
        initial: "settled",
        on: {
          "text.change": { ...editing["text.change"], target: ".typed" },
          "reply.send": { ...editing["reply.send"], target: ".typed" },
          "reply.edit": { ...editing["reply.edit"], target: ".typed" },
        },
        states: {
          settled: {
            on: {
              "draft.offer": [
                {
                  guard: withEvent("isWelcome"),
                  actions: [withEvent("takeOffer"), keeping],
                },
                {
                  guard: withEvent("isSame"),
                  actions: withEvent("noteSaved"),
                },
                { guard: withEvent("isUnheardOf"), target: "saving" },
              ],
            },
          },
          typed: {
            after: { draftPause: [{ guard: "isUnsaved", target: "saving" }, { target: "settled" }] },
          },
          /** One save at a time: an older text never overwrites a newer one. */
          saving: {
            invoke: {
              id: "saveDraft",
              src: "saveDraft",
              input: ({ context: { leadId, text, saved } }) => ({ leadId, text, over: saved ?? "" }),
              onDone: [
                {
                  guard: withOutput("isWelcomeOther"),
                  target: "settled",
                  actions: [withOutput("takeOffer"), keeping],
                },
                {
                  guard: withOutput("isOtherDraft"),
                  target: "contested",
                  actions: withOutput("storeOther"),
                },
                {
                  guard: withOutput("isOtherText"),
                  target: "typed",
                  actions: [withOutput("storeSaved"), keeping],
                },
                { target: "settled", actions: [withOutput("storeSaved"), keeping] },
              ],
              onError: { target: "settled", actions: reportFailure("the draft was not kept on the server") },
            },
            on: editing,
          },
          /** Box and server hold different drafts. Nothing is saved until the user chooses one. */
          contested: {
            on: {
              ...editing,
              "reply.send": {
                guard: "canSend",
                target: "settled",
                actions: [withEvent("queueReply"), "takeOther", keeping],
              },
              "draft.takeOther": { target: "settled", actions: ["takeOther", keeping] },
              "draft.keepOwn": { target: "typed", actions: ["dismissOther", keeping] },
            },
          },
        },
      },
      attachment: {
        on: {
          "file.attach": [
            { guard: withEvent("isSendable"), actions: [withEvent("attach"), keeping] },
            { actions: withEvent("refuseFile") },
          ],
          "file.remove": { guard: "hasFile", actions: ["removeFile", keeping] },
        },
      },
      post: {
        initial: "resting",
        on: {
          "reply.retry": { guard: withEvent("isRetriable"), actions: [withEvent("queueRetry"), keeping] },
          "reply.discard": { guard: withEvent("isUnsent"), actions: [withEvent("discard"), keeping] },
          "message.again": { guard: withEvent("isFailed"), actions: [withEvent("queueAgain"), keeping] },
        },
        states: {
          resting: { always: { guard: "hasWaiting", target: "posting" } },
          posting: {
            entry: "startPosting",
            invoke: {
              id: "postReply",
              src: "postReply",
              input: ({ context: { leadId, outgoing } }) => ({
                leadId,
                reply: outgoing.find(({ status }) => status === "posting"),
              }),
              onDone: [
                {
                  guard: withOutput("isAccepted"),
                  target: "resting",
                  actions: ["dropPosted", keeping, { type: "reportOutcome", params: outcomeOf }],
                },
                {
                  target: "resting",
                  actions: [withOutput("refusePosted"), keeping, { type: "reportOutcome", params: outcomeOf }],
                },
              ],
              onError: {
                target: "resting",
                actions: [
                  "leavePostedUnanswered",
                  keeping,
                  { type: "reportOutcome", params: ({ context: { leadId } }) => ({ leadId, outcome: NO_ANSWER }) },
                  reportFailure("a reply was not answered"),
                ],
              },
            },
          },
        },
      },
    },
  });

export const Composer = createChart<typeof createComposer>("composer");
export type ComposerRef = ActorRefFrom<typeof createComposer>;
type ComposerSnapshot = SnapshotFrom<typeof createComposer>;

/** Returns why a file that the user chose is not attached. */
export const selectRefusedFile = ({ context: { refusedFile, lostFile } }: ComposerSnapshot): UiTextOrString | null =>
  refusedFile ?? (lostFile === "" ? null : msg`The file ${{ lostFile }} was lost in the reload. Attach it again.`);

/** Whether replies wait for one that is being sent. */
export const selectHasWaiting = (composer: ComposerSnapshot) =>
  composer.context.outgoing.some(({ status }) => status === "waiting");

/** Whether everything is on the server, so that the actor can stop. */
export const selectIsIdle = (composer: ComposerSnapshot) =>
  composer.matches({ draft: "settled", post: "resting" }) &&
  composer.context.file === null &&
  composer.context.outgoing.length === 0;

/** Returns the server's draft while it differs from the typed one; otherwise null. */
export const selectOtherDraft = (composer: ComposerSnapshot): string | null =>
  composer.matches({ draft: "contested" }) ? composer.context.otherDraft : null;
