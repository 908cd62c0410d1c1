import { describe, expect, it } from "vitest";
import { HttpError, type Http } from "../../src/services/http.ts";
import { createTypedOver, withTheirs } from "../../src/services/typed-over.ts";

/** A lead's text on a server; an answer of a write can be lost after it was done. */
function serve(text: string) {
  const store = { text, writes: 0, losesAnswer: false };
  const markOf = async (stored: string) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(stored));
    return `"${Buffer.from(digest).toString("hex")}"`;
  };
  const http = (async (
    _path: string,
    { body, headers }: { body: { text: string }; headers: Record<string, string> },
  ) => {
    store.writes += 1;
    if (headers["If-Match"] !== (await markOf(store.text))) throw new HttpError(412, { code: "changed_meanwhile" });
    store.text = body.text;
    if (store.losesAnswer) throw new HttpError(null, null);
  }) as unknown as Http;
  const write = createTypedOver(http, { bodyOf: (typed) => ({ text: typed }), read: async () => store.text });
  return { store, write: (typed: string, over: string) => write({ leadId: "lead-1", text: typed, over }) };
}

describe("a text typed over another", () => {
  it("is written while that one stands, and answered with what stands there instead where it does not", async () => {
    const { store, write } = serve("Old");
    expect([await write("New", "Old"), store.text]).toEqual([null, "New"]);
    store.text = "Theirs: 2 €";
    expect([await write("Newer", "New"), store.text]).toEqual(["Theirs: 2 €", "Theirs: 2 €"]);
    expect([await write("Newest", "Theirs: 2 €"), store.text]).toEqual([null, "Newest"]);
  });

  it("whose answer was lost is not taken for somebody else's", async () => {
    const { store, write } = serve("Old");
    store.losesAnswer = true;
    await expect(write("Mine", "Old")).rejects.toThrow("No answer");
    store.losesAnswer = false;
    expect([await write("Mine, longer", "Old"), store.text, store.writes]).toEqual([null, "Mine, longer", 3]);
  });
});

it.each([
  ["added below", "Ann, shop", "Ann", "Ann\nCalled", "Ann, shop\nCalled"],
  ["added where nothing stood", "Mine", "", "Theirs", "Mine\nTheirs"],
  ["added below what was emptied", "", "Ann", "Ann\nCalled", "Called"],
  ["another line changed elsewhere", "Ann!\nshop", "Ann\nshop", "Ann\nshop, two", "Ann!\nshop\nshop, two"],
  ["emptied elsewhere", "Mine", "Ann", "", "Mine"],
  ["the same word added again", "Ann, shop", "called\nAnn", "called\nAnn\ncalled", "Ann, shop\ncalled"],
])("notes keep what somebody else wrote meanwhile: %s", (_what, typed, over, stored, all) =>
  expect(withTheirs(typed, over, stored)).toEqual(all),
);
