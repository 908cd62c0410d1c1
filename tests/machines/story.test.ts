import { describe, expect, it } from "vitest";
import type { StoryPage } from "../../domain/story.ts";
import { createStory } from "../../src/machines/story/story.machine.ts";
import { lineOf } from "../../src/machines/story/story.texts.ts";
import { english } from "../support/english.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { type VisitOf, olderInvariants, readingInvariants, walkEveryPath } from "../support/invariants.ts";
import { firstPage, happened, olderPage, storyModel } from "./story.model.ts";

const isOfTheLead = ({ context }: { context: { leadId: string } }) => expect(context.leadId).toEqual("lead-1");

/** Older items that are already loaded stay after the new page. */
const keepsOlder = ({ before, context }: VisitOf<typeof storyModel>) => {
  const older = before.items.filter(({ id }) => id === "e7");
  expect(context.items).toEqual([...firstPage.items, ...older]);
  expect(context.next).toEqual(older.length > 0 ? null : "e8");
};

const isWhole = ({ context }: { context: object }) =>
  expect(context).toMatchObject({ items: [...firstPage.items, ...olderPage.items], next: null });

walkEveryPath(storyModel, {
  "*": { accepts: ["story.changed"], holds: isOfTheLead },
  ...readingInvariants("newest.", "fetchNewest", keepsOlder, {
    starts: ["story.changed"],
    input: { leadId: "lead-1" },
  }),
  ...olderInvariants("older.", {
    canLoad: ({ next }) => next !== null,
    loaded: isWhole,
    input: { leadId: "lead-1", before: "e8" },
  }),
});

async function startStory(...newest: number[]) {
  const requests: (string | null)[] = [];
  const page = fakePage();
  const pageOf = (...numbers: number[]): StoryPage => {
    const items = numbers.map((number) => happened(number));
    return { items, next: items.at(-1)?.id ?? null };
  };
  const server = { newest: pageOf(...newest), older: async () => pageOf() };
  const logic = createStory(page, {
    story: {
      readStory: ({ before }) => (
        requests.push(before),
        before === null ? Promise.resolve(server.newest) : server.older()
      ),
    },
  });
  const journey = await openJourney(logic, { input: { leadId: "lead-1" } });
  return {
    ...journey,
    requests,
    server,
    ids: () => journey.context().items.map(({ id }) => id),
    /** Adds these items on the server and sends its event. */
    publish(type: string, data: unknown, ...numbers: number[]) {
      server.newest = pageOf(...numbers);
      page.publish(type, data);
      return settle();
    },
  };
}

describe("a story", () => {
  it("shows new items first, and restarts when more happened than fit on a page", async () => {
    const { ids, publish } = await startStory(5, 4);
    await publish("lead.changed", { id: "lead-2" }, 6, 5);
    expect(ids()).toEqual(["e5", "e4"]);
    await publish("message.changed", { lead_id: "lead-1", id: "9" }, 6, 5);
    expect(ids()).toEqual(["e6", "e5", "e4"]);
    await publish("lead.changed", {}, 9, 8);
    expect(ids()).toEqual(["e9", "e8"]);
  });

  it("drops an older page whose predecessor is no longer shown", async () => {
    const answer = Promise.withResolvers<StoryPage>();
    const { go, requests, ids, context, server, publish, snapshot } = await startStory(5);
    server.older = () => answer.promise;
    await go({ type: "older.load" });
    await publish("lead.changed", { id: "lead-1" }, 9);
    answer.resolve({ items: [happened(4)], next: null });
    await settle();
    expect([snapshot().value.older, ids(), context().next, requests]).toEqual([
      "resting",
      ["e9"],
      "e9",
      [null, "e5", null],
    ]);
  });
});

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
    ["\u2068Initial Contact\u2069 → \u2068Interested\u2069", "Moved by the word", "price", "Leadloom"],
  ],
  [
    { type: "stage_moved", from: "gone", to: "b", reason: "stage_deleted" },
    ["a deleted stage → \u2068Interested\u2069", "The stage was deleted", null, "Ada"],
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
] as const)("writes a line of %j", (known, words) => {
  expect(line(known as never)).toEqual(words);
});
