import type { StoryItem } from "../../domain/story.ts";
import { createStory } from "../../src/machines/story/story.machine.ts";
import { done, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const happened = (number: number, known: Partial<StoryItem> = {}): StoryItem => ({
  id: `e${number}`,
  at: `2026-03-05T10:00:${String(number).padStart(2, "0")}.000Z`,
  type: "note_changed",
  by: { kind: "person", name: "Ada" },
  ...known,
});
export const firstPage = { items: [happened(9), happened(8)], next: "e8" };
export const olderPage = { items: [happened(7)], next: null };

export const storyModel = modelOf(createStory(fakePage()), {
  input: { leadId: "lead-1" },
  events: [...done("fetchNewest", firstPage), ...done("fetchOlder", { page: olderPage, before: "e8" })],
});
