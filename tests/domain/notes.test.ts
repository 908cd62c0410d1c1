import { expect, it } from "vitest";
import { mergeNotes } from "../../domain/lead.ts";

it.each([
  ["added below", "Ann, shop", "Ann", "Ann\nCalled", "Ann, shop\nCalled"],
  ["added where nothing stood", "Mine", "", "Theirs", "Mine\nTheirs"],
  ["added below a save without a response", "Mine", "", "Mine\nTheirs", "Mine\nTheirs"],
  ["added below what was emptied", "", "Ann", "Ann\nCalled", "Called"],
  ["another line changed elsewhere", "Ann!\nshop", "Ann\nshop", "Ann\nshop, two", "Ann!\nshop\nshop, two"],
  ["emptied elsewhere", "Mine", "Ann", "", "Mine"],
  ["the same word added again", "Ann, shop", "called\nAnn", "called\nAnn\ncalled", "Ann, shop\ncalled"],
])("keeps notes that another user added in the meantime: %s", (_what, typed, over, stored, all) =>
  expect(mergeNotes(typed, over, stored)).toEqual(all),
);
