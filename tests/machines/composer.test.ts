import { describe, expect, it } from "vitest";
import { type ContextFrom, SimulatedClock, createActor, waitFor } from "xstate";
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
import { type Visit, unchecked } from "../support/invariants.ts";
import { fakePage } from "../support/page.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { composerMachine, composerModel, failedMessage, picture } from "./composer.model.ts";
import { fileProblem } from "../../src/machines/composer/composer.attaching.ts";

type Context = ContextFrom<typeof composerMachine>;
const at = "2026-03-05T11:00:00.000Z";
const statusOf = (outgoing: Context["outgoing"]) => outgoing.find(({ key }) => key === "key-1")?.status;
const saves = ({ context: { leadId, text, saved }, calls }: Visit<Context>) =>
  isCalling("saveDraft", { leadId, text, over: saved ?? "" })({ calls });
const takesOther = ({ context, before: { otherDraft } }: Visit<Context>) =>
  expect(context).toMatchObject({ text: otherDraft, saved: otherDraft, offered: otherDraft, otherDraft: "" });

walkEveryPath(composerMachine, composerModel, {
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
      // A reply that starts at once is kept as waiting, which a reload reads as unanswered all the same.
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
        const reply = { text: before.text, file: before.file, key: "key-1", at, reason: null };
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
      "error saveDraft": ({ context, before }) => expect(context).toEqual(before),
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
    after: {
      ...unchecked("text.change", "reply.send", "reply.edit"),
      "after draftPause": saves,
      "draft.offer": saves,
    },
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
        expect(context.outgoing.at(-1)).toMatchObject({ key: "key-2", text: "Failed before", file: null, at });
      if (cause === "reply.retry")
        expect(context.outgoing[0]).toMatchObject({
          key: "key-1",
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
        expect(effects["tellVerdict"]).toEqual({ leadId: "lead-1", verdict: event.output });
      },
      "error postReply": ({ context, before, effects }) => {
        const [reply] = context.outgoing;
        expect(reply).toMatchObject({ key: before.outgoing[0]?.key, status: "unanswered" });
        expect(effects["tellVerdict"]).toEqual({
          leadId: "lead-1",
          verdict: { kind: "refused", reason: reply?.reason },
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
  const calls: string[] = [];
  const stored: ComposerDraft[] = [];
  const clock = new SimulatedClock();
  const deps: ComposerParts = {
    composer: {
      reply: (reply) => {
        posted.push(reply);
        return answer(reply);
      },
      saveDraft(draft) {
        drafts.push(draft.text);
        return saveDraft(draft);
      },
      readFile: async ({ url, name }) => new File([url], name, { type: "image/png" }),
    },
    tellAccepted: (leadId, { id }) => calls.push(`${leadId} took ${id}`),
    tellUnsent: (leadId, reason) => calls.push(`${leadId}: ${english(reason)}`),
    keep: (_leadId, state) => stored.push(state),
  };
  const page = { ...fakePage(), logger: { warn: (what: string) => void calls.push(`log: ${what}`) } };
  const box = createActor(createComposer(page, deps), {
    input: { leadId: "lead-1", text: "", outgoing: "[]", ...input },
    clock,
  }).start();
  const send = (text: string, key: string) => {
    box.send({ type: "text.change", text });
    box.send({ type: "reply.send", key, at });
  };
  const settled = () => waitFor(box, (snapshot) => snapshot.matches({ post: "resting" }));
  const saved = () => waitFor(box, (snapshot) => !snapshot.matches({ draft: "saving" }));
  return { box, posted, drafts, calls, stored, clock, send, settled, saved, context: () => box.getSnapshot().context };
}
const take = async ({ text }: Reply) => messageNumber(9, { direction: "out", text, state: "pending" });
const refuse = () => Promise.reject(new HttpError(429, { message: "Telegram asks to wait.", code: "account_waits" }));
const lose = () => Promise.reject(new HttpError(null, null));

describe("a reply", () => {
  it("leaves the box empty, is handed over once, and the draft on the server goes", async () => {
    const page = startComposer(take);
    page.box.send({ type: "text.change", text: "  Ten euros  " });
    page.clock.increment(1_000);
    await page.saved();
    page.box.send({ type: "reply.send", key: "one", at });
    expect(page.context().text).toEqual("");
    await page.settled();
    page.clock.increment(1_000);
    await page.saved();
    expect(page.posted).toEqual([{ leadId: "lead-1", text: "Ten euros", file: null, key: "one" }]);
    expect([page.drafts, page.calls]).toEqual([["  Ten euros  ", ""], ["lead-1 took 9"]]);
    expect([selectIsIdle(page.box.getSnapshot()), page.stored.at(-1)]).toEqual([
      true,
      { text: "", saved: "", outgoing: "[]", file: "" },
    ]);
  });

  it("waits for the one before it, so that they arrive in order", async () => {
    const answers: (() => void)[] = [];
    const page = startComposer((reply) => new Promise((resolve) => answers.push(() => void take(reply).then(resolve))));
    page.send("First", "one");
    page.send("Second", "two");
    expect(page.posted.map(({ text }) => text)).toEqual(["First"]);
    answers[0]?.();
    await waitFor(
      page.box,
      ({ context }) => context.outgoing.length === 1 && context.outgoing[0]?.status === "posting",
    );
    expect(page.posted.map(({ text }) => text)).toEqual(["First", "Second"]);
  });

  it("that is empty, or longer than Telegram takes, is not sent", () => {
    const page = startComposer(take);
    const canSend = (text: string) => {
      page.box.send({ type: "text.change", text });
      return page.box.getSnapshot().can({ type: "reply.send", key: "one", at });
    };
    expect([canSend("  "), canSend("x".repeat(4_096)), canSend("x".repeat(4_097))]).toEqual([false, true, false]);
    page.box.send({ type: "file.attach", file: picture });
    expect([canSend(""), canSend("x".repeat(1_024)), canSend("x".repeat(1_025))]).toEqual([true, true, false]);
  });

  it("that was refused is tried again under a new key, and can be taken back to be changed", async () => {
    let answer: (reply: Reply) => Promise<Message> = refuse;
    const page = startComposer((reply) => answer(reply));
    page.send("Now", "one");
    await page.settled();
    expect(page.context().outgoing).toMatchObject([{ status: "refused", reason: "Telegram asks to wait." }]);
    page.box.send({ type: "reply.retry", key: "one", newKey: "two" });
    await page.settled();
    page.box.send({ type: "reply.edit", key: "two" });
    expect([page.context().text, page.context().outgoing]).toEqual(["Now", []]);
    answer = take;
    page.box.send({ type: "reply.send", key: "three", at });
    await page.settled();
    expect(page.posted.map(({ key }) => key)).toEqual(["one", "two", "three"]);
  });

  it("that was not answered is asked for again under the same key, and cannot be changed meanwhile", async () => {
    let answer: (reply: Reply) => Promise<Message> = lose;
    const page = startComposer((reply) => answer(reply));
    page.send("Now", "one");
    await page.settled();
    expect(page.context().outgoing).toMatchObject([{ key: "one", status: "unanswered" }]);
    expect(page.box.getSnapshot().can({ type: "reply.edit", key: "one" })).toEqual(false);
    answer = take;
    page.box.send({ type: "reply.retry", key: "one", newKey: "two" });
    await page.settled();
    expect(page.posted.map(({ key }) => key)).toEqual(["one", "one"]);
    expect(page.context().outgoing).toEqual([]);
  });

  it("that was refused before a reload is said to be unsent after it", async () => {
    const page = startComposer(refuse);
    page.send("Now", "one");
    await page.settled();
    const after = startComposer(take, page.stored.at(-1));
    expect(after.context().outgoing).toMatchObject([{ status: "refused", reason: "This was not sent." }]);
  });

  it.each([
    [500, "unanswered"],
    [503, "unanswered"],
    [408, "unanswered"],
    [409, "refused"],
    [422, "refused"],
  ])("answered %i is %s", async (status, outcome) => {
    const page = startComposer(() => Promise.reject(new HttpError(status, { message: "No." })));
    page.send("Now", "one");
    await page.settled();
    expect(page.context().outgoing.map((reply) => reply.status)).toEqual([outcome]);
  });

  it("not answered before a reload is there after it, under its key; one whose file is lost cannot be asked for again", async () => {
    const page = startComposer(lose);
    page.send("Words", "one");
    await page.settled();
    page.box.send({ type: "file.attach", file: picture });
    page.box.send({ type: "reply.send", key: "two", at });
    await page.settled();
    page.box.send({ type: "text.change", text: "Being typed" });
    const after = startComposer(take, page.stored.at(-1));
    expect(after.context().text).toEqual("Being typed");
    expect(after.context().outgoing).toMatchObject([
      { key: "one", text: "Words", status: "unanswered", hasLostFile: false },
      { key: "two", text: "", status: "unanswered", hasLostFile: true },
    ]);
    expect(after.box.getSnapshot().can({ type: "reply.retry", key: "two", newKey: "x" })).toEqual(false);
    after.box.send({ type: "reply.retry", key: "one", newKey: "x" });
    after.box.send({ type: "reply.discard", key: "two" });
    await after.settled();
    expect([after.posted.map(({ key }) => key), after.context().outgoing]).toEqual([["one"], []]);
  });

  it("that Telegram refused is sent once more under a new key, with its file", async () => {
    const page = startComposer(take);
    const message = {
      ...failedMessage,
      kind: "photo" as const,
      media: { url: "/api/files/7", preview: null, width: 1, height: 1, seconds: null, size: 1, name: "a.png" },
    };
    page.box.send({ type: "message.again", message, key: "new", at });
    page.box.send({ type: "message.again", message, key: "newer", at });
    await page.settled();
    expect(page.posted).toMatchObject([{ text: "Failed before", key: "new", file: { name: "a.png" } }]);
    const sent = messageNumber(8, { direction: "out", text: "Failed before" });
    expect([isSentAgain(failedMessage, [failedMessage]), isSentAgain(failedMessage, [failedMessage, sent])]).toEqual([
      false,
      true,
    ]);
  });
});

describe("what is typed", () => {
  it("is kept on this device at once and on the server after a pause, the newest last", async () => {
    const page = startComposer(take);
    for (const text of ["H", "He", "Hey"]) page.box.send({ type: "text.change", text });
    expect([page.stored.at(-1)?.text, page.drafts]).toEqual(["Hey", []]);
    page.clock.increment(1_000);
    page.box.send({ type: "text.change", text: "Hey you" });
    await page.saved();
    page.clock.increment(1_000);
    await page.saved();
    expect(page.drafts).toEqual(["Hey", "Hey you"]);
  });

  /** A server on which a program has put its draft. */
  const programs = (text: string) => {
    const store = { text };
    const saveDraft: ComposerParts["composer"]["saveDraft"] = async (draft) => {
      if (store.text !== draft.over) return store.text;
      store.text = draft.text;
      return null;
    };
    return { store, saveDraft };
  };

  it("while a program writes a draft is saved over it only when the person says so", async () => {
    const { store, saveDraft } = programs("Theirs");
    const page = startComposer(take, {}, saveDraft);
    const save = async () => {
      page.clock.increment(1_000);
      await page.saved();
    };
    page.box.send({ type: "text.change", text: "Mine" });
    await save();
    expect([selectOtherDraft(page.box.getSnapshot()), page.context().text, store.text]).toEqual([
      "Theirs",
      "Mine",
      "Theirs",
    ]);
    page.box.send({ type: "text.change", text: "Mine, longer" });
    page.clock.increment(10_000);
    const reloaded = startComposer(take, page.stored.at(-1), saveDraft);
    reloaded.box.send({ type: "draft.offer", text: "Theirs" });
    await reloaded.saved();
    expect([selectOtherDraft(reloaded.box.getSnapshot()), reloaded.context().text]).toEqual(["Theirs", "Mine, longer"]);
    page.box.send({ type: "draft.keepOwn" });
    await save();
    expect([store.text, selectOtherDraft(page.box.getSnapshot()), selectIsIdle(page.box.getSnapshot())]).toEqual([
      "Mine, longer",
      null,
      true,
    ]);
  });

  it("and sent leaves a program's draft of the same second standing, in the box too", async () => {
    const { store, saveDraft } = programs("");
    const page = startComposer(take, {}, saveDraft);
    page.box.send({ type: "text.change", text: "Mine" });
    page.clock.increment(1_000);
    await page.saved();
    page.box.send({ type: "reply.send", key: "one", at });
    store.text = "Theirs";
    page.clock.increment(1_000);
    await page.saved();
    expect([page.context().text, page.posted.map(({ text }) => text), store.text]).toEqual([
      "Theirs",
      ["Mine"],
      "Theirs",
    ]);
  });

  it.each(["no JSON", "{}", "[1]", '[{"key":1}]'])("and was kept as %s is nothing", (outgoing) =>
    expect(startComposer(take, { outgoing }).context().outgoing).toEqual([]),
  );
});

describe("a file", () => {
  it("that was attached is told to be attached again after a reload, until another is or the reply went without", () => {
    const page = startComposer(take);
    page.box.send({ type: "file.attach", file: new File(["x"], "offer.png", { type: "image/png" }) });
    const reloaded = () => startComposer(take, page.stored.at(-1));
    const calls = ({ box }: typeof page) => selectRefusedFile(box.getSnapshot());
    const [first, second] = [reloaded(), reloaded()];
    expect(calls(first)).toEqual("The file offer.png was lost in the reload. Attach it again.");
    first.box.send({ type: "text.change", text: "Here it is" });
    expect(first.stored.at(-1)).toEqual({ text: "Here it is", saved: "", outgoing: "[]", file: "offer.png" });
    first.box.send({ type: "reply.send", key: "one", at });
    second.box.send({ type: "file.attach", file: new File(["x"], "other.png", { type: "image/png" }) });
    expect([calls(first), first.stored.at(-1)?.file, calls(second), second.stored.at(-1)?.file]).toEqual([
      null,
      "",
      null,
      "other.png",
    ]);
    second.box.send({ type: "file.remove" });
    expect([calls(second), second.stored.at(-1)?.file]).toEqual([null, ""]);
  });

  it.each([
    new File(["x"], "a.exe", { type: "application/x-msdownload" }),
    new File(["x"], "a.svg", { type: "image/svg+xml" }),
    new File([], "a.png", { type: "image/png" }),
    new File([new Uint8Array(10_485_761)], "a.png", { type: "image/png" }),
  ])("that no form takes is refused with the words of every form: $name", (file) => {
    const page = startComposer(take);
    page.box.send({ type: "file.attach", file });
    expect(english(fileProblem(file) ?? "")).toContain(file.name);
    expect([page.context().file, page.context().refusedFile]).toEqual([null, fileProblem(file)]);
  });

  it("that the browser knows no type of is told by its name, as in every form", () => {
    const file = new File(["x"], "a.MOV", { type: "" });
    const page = startComposer(take);
    page.box.send({ type: "file.attach", file });
    expect(page.context().file).toEqual(file);
  });
});
