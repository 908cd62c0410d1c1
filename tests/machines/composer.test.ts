import { describe, expect, it } from "vitest";
import { SimulatedClock } from "xstate";
import { english } from "../support/english.ts";
import type { Message } from "../../domain/message.ts";
import {
  type ComposerParts,
  createComposer,
  selectIsIdle,
  selectRefusedFile,
  selectOtherDraft,
} from "../../src/machines/composer/composer.machine.ts";
import { isSentAgain } from "../../src/machines/composer/composer.outgoing.ts";
import { HttpError } from "../../src/services/http.ts";
import { messageNumber } from "../support/messages.ts";
import { type ContextOf, type Visit, isCalling, isUnchanged, unchecked, walkEveryPath } from "../support/invariants.ts";
import { fakePage, settle, startJourney } from "../support/page.ts";
import { KEYS, composerModel, failedMessage, picture } from "./composer.model.ts";
import { fileProblem } from "../../src/machines/composer/composer.attaching.ts";

type Context = ContextOf<typeof composerModel>;
const at = "2026-03-05T11:00:00.000Z";
const statusOf = (outgoing: Context["outgoing"]) => outgoing.find(({ key }) => key === KEYS[0])?.status;
const saves = ({ context: { leadId, text, saved }, calls }: Visit<Context>) =>
  isCalling("saveDraft", { leadId, text, over: saved ?? "" })({ calls });
const takesOther = ({ context, before: { otherDraft } }: Visit<Context>) =>
  expect(context).toMatchObject({ text: otherDraft, saved: otherDraft, offered: otherDraft, otherDraft: "" });

walkEveryPath(composerModel, {
  "*": {
    holds: ({ cause, context, before, effects }) => {
      const { leadId, text, offered, file, lostFile, outgoing } = context;
      if (text !== before.text || file !== before.file || outgoing.length !== before.outgoing.length)
        expect(effects).toHaveProperty("keep");
      if (!("keep" in effects)) return;
      const replies = outgoing.map(({ key, status, file: sent }) => ({
        key,
        status: status === "refused" ? "refused" : "unanswered",
        hasLostFile: sent !== null,
      }));
      const stored = effects["keep"] as { outgoing: string };
      expect(stored).toMatchObject({ leadId, text: text === offered ? "" : text, file: file?.name ?? lostFile });
      // Even a reply that is sent at once is stored as waiting; after a reload it counts as unanswered.
      expect(JSON.parse(stored.outgoing), cause).toMatchObject(replies);
    },
  },
  attachment: {
    accepts: ({ file }) => ["file.attach", ...(file === null ? [] : ["file.remove"])],
    after: {
      start: null,
      "file.attach": ({ context, before, event }) =>
        expect([context.file, context.refusedFile]).toEqual(
          event.file === picture ? [picture, null] : [before.file, fileProblem(event.file)],
        ),
      "file.remove": ({ context }) => expect([context.file, context.refusedFile]).toEqual([null, null]),
    },
  },
  draft: {
    accepts: ({ text, file, outgoing }) => [
      "text.change",
      ...(text !== "" || file !== null ? ["reply.send"] : []),
      ...(text === "" && file === null && statusOf(outgoing) === "refused" ? ["reply.edit"] : []),
    ],
    holds: ({ cause, event, context, before }) => {
      if (cause === "text.change")
        expect([context.text, context.offered]).toEqual([
          event.text,
          before.text === event.text ? before.offered : null,
        ]);
      if (cause === "reply.edit")
        expect([context.text, context.outgoing]).toEqual([before.outgoing[0]?.text, before.outgoing.slice(1)]);
      if (cause === "reply.send") {
        const reply = { text: before.text, file: before.file, key: KEYS[0], at, reason: null };
        expect(context.outgoing.at(-1)).toMatchObject(reply);
        expect([context.file, context.text]).toEqual([null, before.otherDraft]);
      }
    },
  },
  "draft.settled": {
    accepts: ["draft.offer"],
    after: {
      start: null,
      "draft.offer": ({ context, before, event }) => {
        const offer = event.text ?? "";
        if (before.text === offer) expect(context).toEqual({ ...before, saved: offer });
        else expect(context).toEqual({ ...before, text: offer, saved: offer, offered: event.text });
        expect(["", before.offered, offer]).toContain(before.text);
      },
      "after draftPause": ({ context }) => expect(context.text).toEqual(context.saved ?? ""),
      "done saveDraft": ({ context, before, event: { output } }) => {
        if (output.isOtherDraft && context.text !== before.text)
          expect([before.text, context.text, context.offered]).toEqual(["", output.text, output.text]);
        else expect([context.text, context.saved]).toEqual([output.text, output.text]);
      },
      "error saveDraft": isUnchanged,
      "reply.send": takesOther,
      "draft.takeOther": takesOther,
    },
  },
  "draft.typed": {
    after: {
      ...unchecked("text.change", "reply.send", "reply.edit"),
      "draft.keepOwn": ({ context, before }) =>
        expect(context).toEqual({ ...before, saved: before.otherDraft, otherDraft: "" }),
      "done saveDraft": ({ context, before, event: { output } }) => {
        expect(output.text).not.toEqual(before.text);
        expect(context).toEqual({ ...before, saved: output.text });
      },
    },
  },
  "draft.saving": {
    after: { ...unchecked("text.change", "reply.send", "reply.edit"), "after draftPause": saves, "draft.offer": saves },
    holds: ({ calls }) => expect(calls).toHaveProperty("saveDraft"),
  },
  "draft.contested": {
    accepts: ["draft.takeOther", "draft.keepOwn"],
    after: {
      ...unchecked("text.change", "reply.edit"),
      "done saveDraft": ({ context, event }) => {
        expect([event.output.isOtherDraft, context.otherDraft]).toEqual([true, event.output.text]);
        expect(["", context.text]).not.toContain(event.output.text);
      },
    },
  },
  post: {
    accepts: ({ outgoing }) => [
      ...(["refused", "unanswered"].includes(statusOf(outgoing) ?? "") ? ["reply.retry", "reply.discard"] : []),
      ...(outgoing.some(({ text }) => text === "Failed before") ? [] : ["message.again"]),
    ],
    holds: ({ cause, context, before }) => {
      if (cause === "reply.discard") expect(context.outgoing).toEqual(before.outgoing.slice(1));
      if (cause === "message.again")
        expect(context.outgoing.at(-1)).toMatchObject({ key: KEYS[1], text: "Failed before", file: null, at });
      if (cause === "reply.retry")
        expect(context.outgoing[0]).toMatchObject({
          key: KEYS[0],
          reason: null,
          isRepeated: statusOf(before.outgoing) === "unanswered",
        });
    },
  },
  "post.resting": {
    after: {
      ...unchecked("start", "reply.discard"),
      "done postReply": ({ context, before, event, effects }) => {
        const [posted] = before.outgoing;
        const isUnknown = posted?.isRepeated === true;
        const reason = isUnknown ? "It is not known whether this was sent. Not now." : "Not now.";
        expect(context.outgoing).toEqual(
          event.output.kind === "accepted" ? [] : [{ ...posted, status: isUnknown ? "unanswered" : "refused", reason }],
        );
        expect(effects["reportOutcome"]).toEqual({ leadId: "lead-1", outcome: event.output });
      },
      "error postReply": ({ context, before, effects }) => {
        const [reply] = context.outgoing;
        expect(reply).toMatchObject({ key: before.outgoing[0]?.key, status: "unanswered" });
        expect(effects["reportOutcome"]).toEqual({
          leadId: "lead-1",
          outcome: { kind: "refused", reason: reply?.reason },
        });
      },
    },
    holds: ({ context }) => expect(context.outgoing.map(({ status }) => status)).not.toContain("waiting"),
  },
  "post.posting": {
    after: ["reply.send", "reply.retry", "reply.discard", "message.again", "done postReply", "error postReply"],
    holds: ({ context: { leadId, outgoing }, calls }) => {
      const [reply, ...more] = outgoing.filter(({ status }) => status === "posting");
      expect(more).toEqual([]);
      isCalling("postReply", { leadId, reply })({ calls });
    },
  },
});

type ComposerDraft = Parameters<ComposerParts["keep"]>[1];
type Reply = Parameters<ComposerParts["composer"]["reply"]>[0];

function startComposer(
  answer: (reply: Reply) => Promise<Message>,
  input: Partial<ComposerDraft> = {},
  saveDraft: ComposerParts["composer"]["saveDraft"] = async () => null,
) {
  const posted: Reply[] = [];
  const drafts: string[] = [];
  const outcomes: string[] = [];
  const stored: ComposerDraft[] = [];
  const clock = new SimulatedClock();
  const logic = createComposer(fakePage(), {
    composer: {
      reply: (reply) => (posted.push(reply), answer(reply)),
      saveDraft: (draft) => (drafts.push(draft.text), saveDraft(draft)),
      readFile: async ({ url, name }) => new File([url], name, { type: "image/png" }),
    },
    onAccepted: (leadId, { id }) => outcomes.push(`${leadId} took ${id}`),
    onUnsent: (leadId, reason) => outcomes.push(`${leadId}: ${english(reason)}`),
    keep: (_leadId, state) => stored.push(state),
  });
  const journey = startJourney(logic, { input: { leadId: "lead-1", text: "", outgoing: "[]", ...input }, clock });
  return {
    ...journey,
    posted,
    drafts,
    outcomes,
    stored,
    type: (text: string) => journey.go({ type: "text.change", text }),
    send: (text: string, key: string) => journey.go({ type: "text.change", text }, { type: "reply.send", key, at }),
    /** Pauses typing until the draft is due to be saved. */
    pause: () => (clock.increment(1_000), settle()),
    keys: () => posted.map(({ key }) => key),
    /** The same reply box after a reload of the page. */
    reload: () => startComposer(take, stored.at(-1), saveDraft),
  };
}
const take = async ({ text }: Reply) => messageNumber(9, { direction: "out", text, state: "pending" });
const refuse = () => Promise.reject(new HttpError(429, { message: "Telegram asks to wait.", code: "account_waits" }));
const lose = () => Promise.reject(new HttpError(null, null));

describe("a reply", () => {
  it("empties the box, is sent once, and deletes the server's draft", async () => {
    const { type, pause, go, context, posted, drafts, outcomes, stored, snapshot } = startComposer(take);
    await type("  Ten euros  ");
    await pause();
    await go({ type: "reply.send", key: "one", at });
    expect(context().text).toEqual("");
    await pause();
    expect(posted).toEqual([{ leadId: "lead-1", text: "Ten euros", file: null, key: "one" }]);
    expect([drafts, outcomes]).toEqual([["  Ten euros  ", ""], ["lead-1 took 9"]]);
    expect([selectIsIdle(snapshot()), stored.at(-1)]).toEqual([
      true,
      { text: "", saved: "", outgoing: "[]", file: "" },
    ]);
  });

  it("waits for the previous one, so that they arrive in order", async () => {
    const answers: (() => void)[] = [];
    const { send, keys } = startComposer(
      (reply) => new Promise((resolve) => answers.push(() => void take(reply).then(resolve))),
    );
    await send("First", "one");
    await send("Second", "two");
    expect(keys()).toEqual(["one"]);
    answers[0]?.();
    await settle();
    expect(keys()).toEqual(["one", "two"]);
  });

  it("is not sent when empty or longer than Telegram's limit", () => {
    const { chart } = startComposer(take);
    const canSend = (text: string) => {
      chart.send({ type: "text.change", text });
      return chart.getSnapshot().can({ type: "reply.send", key: "one", at });
    };
    expect([canSend("  "), canSend("x".repeat(4_096)), canSend("x".repeat(4_097))]).toEqual([false, true, false]);
    chart.send({ type: "file.attach", file: picture });
    expect([canSend(""), canSend("x".repeat(1_024)), canSend("x".repeat(1_025))]).toEqual([true, true, false]);
  });

  it("is retried with a new key after a refusal, and the same without a response", async () => {
    const answers = [refuse, lose, take];
    const { send, go, keys, context, snapshot } = startComposer((reply) => (answers.shift() ?? lose)(reply));
    await send("Now", "one");
    expect(context().outgoing).toMatchObject([{ status: "refused", reason: "Telegram asks to wait." }]);
    await go({ type: "reply.retry", key: "one", newKey: "two" });
    expect(context().outgoing).toMatchObject([{ key: "two", status: "unanswered" }]);
    expect(snapshot().can({ type: "reply.edit", key: "two" })).toEqual(false);
    await go({ type: "reply.retry", key: "two", newKey: "three" });
    expect([keys(), context().outgoing]).toEqual([["one", "two", "two"], []]);
  });

  it.each([
    [500, "unanswered"],
    [503, "unanswered"],
    [408, "unanswered"],
    [409, "refused"],
    [422, "refused"],
  ])("answered %i is %s", async (status, outcome) => {
    const { send, context } = startComposer(() => Promise.reject(new HttpError(status, { message: "No." })));
    await send("Now", "one");
    expect(context().outgoing.map((reply) => reply.status)).toEqual([outcome]);
  });

  it("survives a reload until it is accepted, but cannot be retried without its file", async () => {
    const answers = [lose, lose, refuse];
    const before = startComposer(() => (answers.shift() ?? lose)());
    await before.send("Words", "one");
    before.chart.send({ type: "file.attach", file: picture });
    await before.go({ type: "reply.send", key: "two", at });
    await before.send("Now", "three");
    await before.type("Being typed");
    const { go, context, snapshot, keys } = before.reload();
    expect(context().text).toEqual("Being typed");
    expect(context().outgoing).toMatchObject([
      { key: "one", text: "Words", status: "unanswered", hasLostFile: false },
      { key: "two", text: "", status: "unanswered", hasLostFile: true },
      { key: "three", text: "Now", status: "refused", reason: "This was not sent." },
    ]);
    expect(snapshot().can({ type: "reply.retry", key: "two", newKey: "x" })).toEqual(false);
    await go({ type: "reply.retry", key: "one", newKey: "x" }, { type: "reply.discard", key: "two" });
    expect([keys(), context().outgoing.map(({ key }) => key)]).toEqual([["one"], ["three"]]);
  });

  const photo = {
    ...failedMessage,
    kind: "photo" as const,
    media: { url: "/api/files/7", preview: null, width: 1, height: 1, seconds: null, size: 1, name: "a.png" },
  };

  it.each([
    ["is edited", failedMessage, true],
    ["is not edited with a file on the server, which the box would lose", photo, false],
  ])("%s after it was sent again and refused", async (_what, message, isEditable) => {
    const { go, snapshot } = startComposer(refuse);
    await go({ type: "message.again", message, key: "new", at });
    expect(snapshot().can({ type: "reply.edit", key: "new" })).toEqual(isEditable);
  });

  it("is sent again with its file under a new key after Telegram refused it", async () => {
    const { go, posted } = startComposer(take);
    const message = photo;
    await go({ type: "message.again", message, key: "new", at }, { type: "message.again", message, key: "newer", at });
    expect(posted).toMatchObject([{ text: "Failed before", key: "new", file: { name: "a.png" } }]);
    const sent = messageNumber(8, { direction: "out", text: "Failed before" });
    expect([isSentAgain(failedMessage, [failedMessage]), isSentAgain(failedMessage, [failedMessage, sent])]).toEqual([
      false,
      true,
    ]);
  });
});

describe("what is typed", () => {
  it("replaces a program's draft only after the user chooses so", async () => {
    const store = { text: "Theirs" };
    const saveDraft: ComposerParts["composer"]["saveDraft"] = async (draft) => {
      if (store.text !== draft.over) return store.text;
      store.text = draft.text;
      return null;
    };
    const { type, pause, go, context, snapshot, reload } = startComposer(take, {}, saveDraft);
    await type("Mine");
    await pause();
    expect([selectOtherDraft(snapshot()), context().text, store.text]).toEqual(["Theirs", "Mine", "Theirs"]);
    await type("Mine, longer");
    const reloaded = reload();
    await reloaded.go({ type: "draft.offer", text: "Theirs" });
    expect([selectOtherDraft(reloaded.snapshot()), reloaded.context().text]).toEqual(["Theirs", "Mine, longer"]);
    await go({ type: "draft.keepOwn" });
    await pause();
    expect([store.text, selectOtherDraft(snapshot()), selectIsIdle(snapshot())]).toEqual(["Mine, longer", null, true]);
  });

  it.each(["no JSON", "{}", "[1]", '[{"key":1}]'])("is ignored when stored as %s", (outgoing) =>
    expect(startComposer(take, { outgoing }).context().outgoing).toEqual([]),
  );
});

it("requires a file again after a reload, unless it was replaced or sent", async () => {
  const page = startComposer(take);
  await page.go({ type: "file.attach", file: new File(["x"], "offer.png", { type: "image/png" }) });
  const [first, second] = [page.reload(), page.reload()];
  const calls = ({ snapshot, stored }: typeof page) => [selectRefusedFile(snapshot()), stored.at(-1)?.file];
  expect(calls(first)).toEqual(["The file offer.png was lost in the reload. Attach it again.", undefined]);
  await first.type("Here it is");
  expect(first.stored.at(-1)).toEqual({ text: "Here it is", saved: "", outgoing: "[]", file: "offer.png" });
  await first.go({ type: "reply.send", key: "one", at });
  expect(calls(first)).toEqual([null, ""]);
  await second.go({ type: "file.attach", file: picture });
  expect(calls(second)).toEqual([null, "picture.png"]);
  await second.go({ type: "file.remove" });
  expect(calls(second)).toEqual([null, ""]);
});

it.each([
  ["offer.png", "image/png", 1, /^$/],
  // Without a type from the browser, the file's name decides.
  ["film.MOV", "", 1, /^$/],
  ["notes", "", 1, /^notes cannot be attached/],
  ["logo.svg", "image/svg+xml", 1, /^logo\.svg cannot be attached/],
  ["offer.pdf", "application/pdf", 1, /^offer\.pdf cannot be attached/],
  ["offer.png", "image/png", 0, /is empty/],
  ["film.mp4", "video/mp4", 10_485_761, /larger than 10 MB/],
])("says why the file %s of type '%s' with %i bytes cannot be attached", (name, type, size, problem) => {
  expect(english(fileProblem({ name, type, size }) ?? "")).toMatch(problem);
});
