import { afterEach, describe, expect, it, vi } from "vitest";
import { HttpError, type Http } from "../../src/services/http.ts";
import { createTypedOver, withTheirs } from "../../src/services/typed-over.ts";

/** A lead's text on a server; an answer of a write can be lost after it was done. */
function serve(text: string) {
  const store = { text, writes: 0, losesAnswer: false, isAway: false, isUnreadable: false };
  const markOf = async (stored: string) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(stored));
    return `"${Buffer.from(digest).toString("hex")}"`;
  };
  const http = (async (
    _path: string,
    { body, headers }: { body: { text: string }; headers: Record<string, string> },
  ) => {
    if (store.isAway) throw new HttpError(null, null);
    store.writes += 1;
    if (headers["If-Match"] !== undefined && headers["If-Match"] !== (await markOf(store.text)))
      throw new HttpError(412, { code: "changed_meanwhile" });
    store.text = body.text;
    if (store.losesAnswer) throw new HttpError(null, null);
  }) as unknown as Http;
  const write = createTypedOver(http, {
    bodyOf: (typed) => ({ text: typed }),
    read: async () => {
      if (store.isUnreadable) throw new HttpError(null, null);
      return store.text;
    },
  });
  return { store, write: (typed: string, over: string) => write({ leadId: "lead-1", text: typed, over }) };
}

afterEach(() => vi.unstubAllGlobals());

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

  it("whose answer was lost is not taken for somebody else's after more calls that failed", async () => {
    const { store, write } = serve("Old");
    store.losesAnswer = true;
    await expect(write("Mine", "Old")).rejects.toThrow("No answer");
    [store.losesAnswer, store.isAway] = [false, true];
    await expect(write("Mine, lon", "Old")).rejects.toThrow("No answer");
    [store.isAway, store.isUnreadable] = [false, true];
    await expect(write("Mine, longe", "Old")).rejects.toThrow("No answer");
    store.isUnreadable = false;
    expect([await write("Mine, longer", "Old"), store.text]).toEqual([null, "Mine, longer"]);
    store.text = "Mine, lon";
    expect(await write("Mine, longest", "Mine, longer")).toBe("Mine, lon");
  });

  it("is not written over another's where the page cannot make its mark, and is where nothing can be read", async () => {
    vi.stubGlobal("crypto", {});
    const { store, write } = serve("Old");
    expect([await write("New", "Old"), store.text]).toEqual([null, "New"]);
    store.text = "Theirs";
    expect([await write("", "New"), store.text]).toEqual(["Theirs", "Theirs"]);
    store.text = "";
    expect([await write("Newer", "New"), store.text]).toEqual([null, "Newer"]);
    store.isUnreadable = true;
    expect([await write("Newest", "Newer"), store.text]).toEqual([null, "Newest"]);
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
