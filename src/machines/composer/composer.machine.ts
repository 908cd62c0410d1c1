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
import { type Outgoing, again, storedOutgoing, outgoingOf } from "./composer.outgoing.ts";

/** What is kept of a reply box; `saved` is the draft that `text` was typed over. */
type ComposerDraft = { text: string; saved: string; outgoing: string; file: string };

export type ComposerParts = {
  /** The page's one gateway: a draft may still be on its way when the screen is entered again. */
  composer: Pick<ConversationGateway, "reply" | "readFile" | "saveDraft">;
  /** Tells the conversation of a reply that the server took. */
  tellAccepted(leadId: string, message: Message): void;
  /** Tells of a reply that was not taken, in case nobody sees it. */
  tellUnsent(leadId: string, reason: UiTextOrString): void;
  /** Keeps what is typed, and what is not sent, over a reload. */
  keep(leadId: string, kept: ComposerDraft): void;
};

/** The draft that the server keeps now; `isTheirs`: somebody else wrote it, and ours was not taken. */
type SavedDraft = { text: string; isTheirs: boolean };

/** What came of handing a reply over. */
type Verdict = { kind: "accepted"; message: Message } | { kind: "refused"; reason: UiTextOrString };

export const UNANSWERED = msg`No answer came. It is not known whether this was sent.`;

type ComposerContext = {
  leadId: string;
  text: string;
  file: File | null;
  /** The name of a file that was attached and did not outlive a reload; empty when there is none. */
  lostFile: string;
  /** Why a file was not attached. */
  refusedFile: UiTextOrString | null;
  /** The draft as the server has it; null while that is not known. */
  saved: string | null;
  /** A draft from the server that stands in the box untouched; null where the words are the person's own. */
  offered: string | null;
  /** A draft of somebody else's that stands on the server while the person types another. */
  theirs: string;
  /** Replies that the server has not taken yet, oldest first. */
  outgoing: readonly Outgoing[];
};

const isUnsent = ({ status }: Outgoing) => status === "refused" || status === "unanswered";
const withKey = ({ outgoing }: ComposerContext, key: string, change: (reply: Outgoing) => Outgoing) =>
  outgoing.map((reply) => (reply.key === key ? change(reply) : reply));
const withPosting = ({ outgoing }: ComposerContext, change: Partial<Outgoing>) =>
  outgoing.map((reply) => (reply.status === "posting" ? { ...reply, ...change } : reply));

/** A repeat that is refused says nothing of the attempt before it, which may have been taken: the key stays. */
const refusalAfter = ({ outgoing }: ComposerContext, reason: UiTextOrString): Partial<Outgoing> =>
  outgoing.some(({ status, isRepeated }) => status === "posting" && isRepeated === true)
    ? { status: "unanswered", reason: msg`It is not known whether this was sent. ${{ reason }}` }
    : { status: "refused", reason };

/** Why a file cannot be sent; null where it can. */
const refusalOf = (file: File): UiTextOrString | null => fileProblem(file) ?? null;

/** How many characters are too many, 0 where none are. */
export const excessOf = ({ text, file }: { text: string; file: File | null }): number =>
  Math.max(0, text.length - textLimit(file !== null));

const NO_ANSWER: Verdict = { kind: "refused", reason: UNANSWERED };
/** What the person typed: an untouched draft is the server's to keep, and follows it. */
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
/** What a person does in the box while something else goes on. */
const editing = {
  "text.change": { guard: withEvent("isOtherText"), actions: [withEvent("storeText"), keeping] },
  "reply.send": { guard: "canSend", actions: [withEvent("queueReply"), keeping] },
  "reply.edit": { guard: withEvent("isEditable"), actions: [withEvent("takeBack"), keeping] },
} as const;
const verdictOf = ({ context: { leadId }, event }: { context: ComposerContext; event: { output: Verdict } }) => ({
  leadId,
  verdict: event.output,
});

/** Whether a draft from the server may stand in the box: nothing of the person's own does. */
const isWelcome = ({ text, offered, file }: ComposerContext, draft: string) =>
  (text === "" || text === offered) && file === null && draft !== text;

/**
 * The reply box of one lead, for as long as the page lives. What is typed is kept here at once and on the server after a
 * pause. A draft that another wrote stands in the box, and follows the server, for as long as nothing is typed; beside what is typed it is
 * told, and neither is lost until the person says which. Replies are handed over one after the other, each under its own key: what was refused is tried again under a new
 * one, what was not answered under the same, so that it cannot be sent twice.
 */
export const createComposer = (page: Page, { composer, tellAccepted, tellUnsent, keep }: ComposerParts) =>
  setup({
    types: {
      /** `file`: the name of the one that was attached. */
      input: {} as Pick<ComposerDraft, "text" | "outgoing"> & Partial<ComposerDraft> & { leadId: string },
      context: {} as ComposerContext,
      events: {} as
        | { type: "text.change"; text: string }
        /** what the server keeps for this lead */
        | { type: "draft.offer"; text: string | null }
        | { type: "draft.takeTheirs" }
        | { type: "draft.keepMine" }
        | { type: "file.attach"; file: File }
        | { type: "file.remove" }
        | { type: "reply.send"; key: string; at: string }
        | { type: "reply.retry"; key: string; newKey: string }
        | { type: "reply.discard"; key: string }
        | { type: "reply.edit"; key: string }
        | { type: "message.again"; message: Message; key: string; at: string },
    },
    actors: {
      postReply: fromPromise<Verdict, { leadId: string; reply: Outgoing | undefined }>(
        async ({ input: { leadId, reply } }) => {
          if (reply === undefined) throw new Error("nothing is to be sent");
          try {
            const file =
              reply.file === null || reply.file instanceof File ? reply.file : await composer.readFile(reply.file);
            const message = await composer.reply({ leadId, text: reply.text, file, key: reply.key });
            return { kind: "accepted", message };
          } catch (error) {
            const { status, message } = failureOf(error);
            // A timeout answers 408 and says nothing of what was done.
            if (status === null || status === 408 || status >= 500) throw error;
            return { kind: "refused", reason: message ?? msg`The message was not taken.` };
          }
        },
      ),
      saveDraft: fromPromise<SavedDraft, { leadId: string; text: string; over: string }>(async ({ input }) => {
        const theirs = await composer.saveDraft(input);
        return { text: theirs ?? input.text, isTheirs: theirs !== null };
      }),
    },
    actions: {
      storeText: assign((_, params: { text: string }) => ({ text: params.text, offered: null })),
      takeOffer: assign((_, { text }: { text: string | null }) => ({
        text: text ?? "",
        saved: text ?? "",
        offered: text === "" ? null : text,
      })),
      takeTheirs: assign(({ context: { theirs } }) => ({ text: theirs, saved: theirs, offered: theirs, theirs: "" })),
      passOverTheirs: assign(({ context }) => ({ saved: context.theirs, theirs: "" })),
      storeTheirs: assign((_, { text }: { text: string }) => ({ theirs: text })),
      noteSaved: assign((_, { text }: { text: string | null }) => ({ saved: text ?? "" })),
      storeSaved: assign((_, params: { text: string }) => ({ saved: params.text })),
      attach: assign((_, { file }: { file: File }) => ({ file, lostFile: "", refusedFile: null })),
      refuseFile: assign((_, { file }: { file: File }) => ({ refusedFile: refusalOf(file) })),
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
      refusePosted: assign(({ context }, verdict: Verdict) => ({
        outgoing: withPosting(context, refusalAfter(context, verdict.kind === "refused" ? verdict.reason : "")),
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
      tellVerdict: (_, { leadId, verdict }: { leadId: string; verdict: Verdict }) =>
        verdict.kind === "accepted" ? tellAccepted(leadId, verdict.message) : tellUnsent(leadId, verdict.reason),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isOtherText: ({ context }, params: { text: string }) => params.text !== context.text,
      isWelcome: ({ context }, { text }: { text: string | null }) => isWelcome(context, text ?? ""),
      isSame: ({ context }, { text }: { text: string | null }) => (text ?? "") === context.text,
      // Whether it is somebody else's, or a reading older than our own, the server knows; and what could not be saved before may be now.
      isUnheardOf: ({ context: { text, saved } }, { text: theirs }: { text: string | null }) =>
        ((theirs !== null && theirs !== "" && theirs !== saved) || text !== (saved ?? "")) &&
        text.length <= MESSAGE_MAX_CHARS,
      isWelcomeTheirs: ({ context }, { text, isTheirs }: SavedDraft) => isTheirs && isWelcome(context, text),
      isTheirs: ({ context }, { text, isTheirs }: SavedDraft) => isTheirs && text !== "" && text !== context.text,
      isSendable: (_, { file }: { file: File }) => refusalOf(file) === null,
      hasFile: ({ context }) => context.file !== null,
      canSend: ({ context }) => (context.text.trim() !== "" || context.file !== null) && excessOf(context) === 0,
      hasWaiting: ({ context }) => context.outgoing.some(({ status }) => status === "waiting"),
      isRetriable: ({ context }, params: { key: string }) =>
        context.outgoing.some((reply) => reply.key === params.key && isUnsent(reply) && !reply.hasLostFile),
      isUnsent: ({ context }, params: { key: string }) =>
        context.outgoing.some((reply) => reply.key === params.key && isUnsent(reply)),
      // What was not answered may have been sent: changed and sent anew it could arrive twice.
      isEditable: ({ context }, params: { key: string }) =>
        context.text === "" &&
        context.file === null &&
        context.outgoing.some((reply) => reply.key === params.key && reply.status === "refused"),
      isFailed: ({ context }, { message }: { message: Message }) =>
        (message.state === "failed" || message.state === "unknown") &&
        context.outgoing.every(({ text }) => text !== message.text),
      isAccepted: (_, verdict: Verdict) => verdict.kind === "accepted",
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
      theirs: "",
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
          /** One at a time: an older text never comes after a newer one. */
          saving: {
            invoke: {
              id: "saveDraft",
              src: "saveDraft",
              input: ({ context: { leadId, text, saved } }) => ({ leadId, text, over: saved ?? "" }),
              onDone: [
                {
                  guard: withOutput("isWelcomeTheirs"),
                  target: "settled",
                  actions: [withOutput("takeOffer"), keeping],
                },
                {
                  guard: withOutput("isTheirs"),
                  target: "contested",
                  actions: withOutput("storeTheirs"),
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
          /** Ours stands in the box, theirs on the server: nothing is saved over it before the person says so. */
          contested: {
            on: {
              ...editing,
              "reply.send": {
                guard: "canSend",
                target: "settled",
                actions: [withEvent("queueReply"), "takeTheirs", keeping],
              },
              "draft.takeTheirs": { target: "settled", actions: ["takeTheirs", keeping] },
              "draft.keepMine": { target: "typed", actions: ["passOverTheirs", keeping] },
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
                  actions: ["dropPosted", keeping, { type: "tellVerdict", params: verdictOf }],
                },
                {
                  target: "resting",
                  actions: [withOutput("refusePosted"), keeping, { type: "tellVerdict", params: verdictOf }],
                },
              ],
              onError: {
                target: "resting",
                actions: [
                  "leavePostedUnanswered",
                  keeping,
                  { type: "tellVerdict", params: ({ context: { leadId } }) => ({ leadId, verdict: NO_ANSWER }) },
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

/** Why there is no file where a person put one. */
export const selectRefusedFile = ({ context: { refusedFile, lostFile } }: ComposerSnapshot): UiTextOrString | null =>
  refusedFile ?? (lostFile === "" ? null : msg`The file ${{ lostFile }} did not outlive the reload. Attach it again.`);

/** Replies wait behind one that is being handed over. */
export const selectHasWaiting = (composer: ComposerSnapshot) =>
  composer.context.outgoing.some(({ status }) => status === "waiting");

/** Nothing here needs this actor any more: all of it is on the server. */
export const selectIsIdle = (composer: ComposerSnapshot) =>
  composer.matches({ draft: "settled", post: "resting" }) &&
  composer.context.file === null &&
  composer.context.outgoing.length === 0;

/** Another draft for the lead, beside the one that is being typed; null while there is none. */
export const selectTheirs = (composer: ComposerSnapshot): string | null =>
  composer.matches({ draft: "contested" }) ? composer.context.theirs : null;
