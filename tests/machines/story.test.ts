import { describe, expect, it, vi } from "vitest";
import { createActor } from "xstate";
import type { StoryPage } from "../../domain/story.ts";
import { createStory } from "../../src/machines/story/story.machine.ts";
import { lineOf } from "../../src/machines/story/story.words.ts";
import { english } from "../support/english.ts";
import type { ServerEvents } from "../../src/services/events.ts";
import { fakePage } from "../support/page.ts";
import type { Invariants } from "../support/invariants.ts";
import { olderInvariants, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { firstPage, happened, olderPage, storyMachine, storyModel } from "./story.model.ts";

const isOfTheLead = ({ context }: { context: { leadId: string } }) => expect(context.leadId).toEqual("lead-1");

const isWhole = ({ context }: { context: object }) =>
  expect(context).toMatchObject({ items: [...firstPage.items, ...olderPage.items], next: null });

const invariants: Invariants<typeof storyMachine> = {
  "*": { accepts: ["story.changed"], holds: isOfTheLead },
  ...readingInvariants("newest.", "fetchNewest", null, { starts: ["story.changed"], input: { leadId: "lead-1" } }),
  "newest.shown.current": {
    after: {
      "done fetchNewest": ({ before, context }) => {
        // Older items that are here already stay behind the new page.
        const older = before.items.filter(({ id }) => id === "e7");
        expect(context.items).toEqual([...firstPage.items, ...older]);
        expect(context.next).toEqual(older.length > 0 ? null : "e8");
      },
    },
    accepts: ["reading.refresh"],
  },
  ...olderInvariants<{ items: readonly unknown[]; next: string | null }>("older.", {
    canLoad: ({ next }) => next !== null,
    loaded: isWhole,
    input: { leadId: "lead-1", before: "e8" },
  }),
};

walkEveryPath(storyMachine, storyModel, invariants);

function startStory(answers: Record<string, StoryPage>) {
  const asked: (string | null)[] = [];
  const listeners = new Map<string, (data: unknown) => void>();
  const events: ServerEvents = {
    subscribe(type, listener) {
      listeners.set(type, listener);
      return () => void listeners.delete(type);
    },
  };
  const logic = createStory(
    { ...fakePage(), events },
    {
      story: {
        async readStory({ before }) {
          asked.push(before);
          const page = answers[before ?? "newest"];
          if (page === undefined) throw new Error("offline");
          return page;
        },
      },
    },
  );
  const story = createActor(logic, { input: { leadId: "lead-1" } }).start();
  const ids = () => story.getSnapshot().context.items.map(({ id }) => id);
  return { story, asked, ids, answers, listeners };
}

describe("a story", () => {
  it("shows news first, and starts over when more happened than one page holds", async () => {
    const { ids, answers, listeners } = startStory({ newest: { items: [happened(5), happened(4)], next: "e4" } });
    await vi.waitFor(() => expect(ids()).toEqual(["e5", "e4"]));
    answers["newest"] = { items: [happened(6), happened(5)], next: "e5" };
    listeners.get("lead.changed")?.({ id: "lead-2" });
    listeners.get("message.changed")?.({ lead_id: "lead-1", id: "9" });
    await vi.waitFor(() => expect(ids()).toEqual(["e6", "e5", "e4"]));
    answers["newest"] = { items: [happened(9), happened(8)], next: "e8" };
    listeners.get("lead.changed")?.({});
    await vi.waitFor(() => expect(ids()).toEqual(["e9", "e8"]));
  });

  it("drops an older page whose predecessor is no longer shown", async () => {
    let answer = (_page: StoryPage) => {};
    const { story, asked, ids, answers, listeners } = startStory({ newest: { items: [happened(5)], next: "e5" } });
    await vi.waitFor(() => expect(ids()).toEqual(["e5"]));
    answers["e5"] = new Promise<StoryPage>((resolve) => (answer = resolve)) as unknown as StoryPage;
    story.send({ type: "older.load" });
    answers["newest"] = { items: [happened(9)], next: "e9" };
    listeners.get("lead.changed")?.({ id: "lead-1" });
    await vi.waitFor(() => expect(ids()).toEqual(["e9"]));
    answer({ items: [happened(4)], next: null });
    await vi.waitFor(() => expect(story.getSnapshot().matches({ older: "resting" })).toEqual(true));
    expect([ids(), story.getSnapshot().context.next, asked]).toEqual([["e9"], "e9", [null, "e5", null]]);
  });
});

describe("a line of a story", () => {
  const names: Record<string, string> = { a: "Initial Contact", b: "Interested" };
  const line = (known: Parameters<typeof happened>[1]) => {
    const { title, detail, quote, by } = lineOf(happened(1, known), (id) => names[id] ?? null);
    return [english(title), detail && english(detail), quote, english(by)];
  };
  const machine = { kind: "automation", name: null } as const;
  it.each([
    [{ type: "entered", to: "a", by: machine }, ["Became a lead in Initial Contact", null, null, "Leadloom"]],
    [
      { type: "stage_moved", from: "a", to: "b", reason: "keyword", keyword: "price", by: machine },
      ["Initial Contact → Interested", "Moved by the word", "price", "Leadloom"],
    ],
    [
      { type: "stage_moved", from: "gone", to: "b", reason: "stage_deleted" },
      ["a deleted stage → Interested", "The stage was deleted", null, "Ada"],
    ],
    [
      {
        type: "sent",
        kind: "followup",
        state: "sent",
        step: { id: "1", order: 0, preview: "Our prices" },
        by: machine,
      },
      ["Follow-up sent", null, "Our prices", "Leadloom"],
    ],
    [
      { type: "sent", kind: "reply", state: "failed", words: "Not sent in time, so it was withdrawn." },
      ["Answer not sent", "Not sent in time, so it was withdrawn.", null, "Ada"],
    ],
    [{ type: "note_changed", by: { kind: "person", name: null } }, ["Notes changed", null, null, "You"]],
    [{ type: "something_new", by: { kind: "key", name: null } }, ["something new", null, null, "A program"]],
  ] as const)("of %j", (known, words) => {
    expect(line(known as never)).toEqual(words);
  });
});
