import { afterEach, describe, expect, it, vi } from "vitest";
import { HttpError, type Http } from "../../src/services/http.ts";
import { createStorage } from "../../src/services/storage.ts";
import { createTypedOver } from "../../src/services/typed-over.ts";
import { createStoredUnanswered, createUnanswered } from "../../src/services/unanswered.ts";

/** A server with a lead's text. The response to a completed write can get lost. */
function serve(text: string) {
  const store = {
    text,
    writes: 0,
    losesAnswer: false,
    refuses: false,
    isAway: false,
    breaks: false,
    isUnreadable: false,
  };
  const markOf = async (stored: string) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(stored));
    return `"${Buffer.from(digest).toString("hex")}"`;
  };
  const http = (async (
    _path: string,
    { body, headers }: { body: { text: string }; headers: Record<string, string> },
  ) => {
    if (store.isAway) throw new HttpError(null, null);
    if (store.breaks) {
      store.text = body.text;
      throw new HttpError(500, { message: "Broken" });
    }
    if (store.refuses) throw new HttpError(422, { message: "Too long" });
    store.writes += 1;
    if (headers["If-Match"] !== undefined && headers["If-Match"] !== (await markOf(store.text)))
      throw new HttpError(412, { code: "changed_meanwhile" });
    store.text = body.text;
    if (store.losesAnswer) throw new HttpError(null, null);
  }) as unknown as Http;
  const storage = createStorage(() => {
    throw new Error("forbidden");
  });
  const unanswered = createStoredUnanswered(storage, (leadId) => `notes.${leadId}.sent`);
  /** Creates the page's writer, again after a reload. */
  const open = () => {
    const write = createTypedOver(http, {
      bodyOf: (typed) => ({ text: typed }),
      read: async () => {
        if (store.isUnreadable) throw new HttpError(null, null);
        return store.text;
      },
      unanswered,
    });
    return (typed: string, over: string) => write({ leadId: "lead-1", text: typed, over });
  };
  return { store, storage, reopened: open, write: open() };
}

afterEach(() => vi.unstubAllGlobals());

describe("an edit based on an older text", () => {
  it("is saved if that text is still stored; otherwise returns the stored one", async () => {
    const { store, write } = serve("Old");
    expect([await write("New", "Old"), store.text]).toEqual([null, "New"]);
    store.text = "Theirs: 2 €";
    expect([await write("Newer", "New"), store.text]).toEqual(["Theirs: 2 €", "Theirs: 2 €"]);
    expect([await write("Newest", "Theirs: 2 €"), store.text]).toEqual([null, "Newest"]);
  });

  it("recognizes its own text after a lost response and more failures", async () => {
    const { store, write } = serve("Old");
    store.losesAnswer = true;
    await expect(write("Mine", "Old")).rejects.toThrow("No answer");
    [store.losesAnswer, store.isAway] = [false, true];
    await expect(write("Mine, lon", "Old")).rejects.toThrow("No answer");
    [store.isAway, store.breaks] = [false, true];
    await expect(write("Mine, lon!", "Old")).rejects.toThrow("Broken");
    [store.breaks, store.isUnreadable] = [false, true];
    await expect(write("Mine, longe", "Old")).rejects.toThrow("No answer");
    store.isUnreadable = false;
    expect([await write("Mine, longer", "Old"), store.text]).toEqual([null, "Mine, longer"]);
    store.text = "Mine, lon";
    expect(await write("Mine, longest", "Mine, longer")).toBe("Mine, lon");
  });

  it("does not restore a removed draft after a refusal", async () => {
    const { store, storage, write } = serve("Old");
    store.losesAnswer = true;
    await expect(write("Mine", "Old")).rejects.toThrow("No answer");
    store.refuses = true;
    const refusal = write("Mine, longer", "Mine").catch(String);
    storage.removeAll("notes.");
    expect(await refusal).toContain("Too long");
    expect(storage.get("notes.lead-1.sent")).toBe(null);
  });

  it("recognizes its own text after a reload, until the next response", async () => {
    const { store, storage, write, reopened } = serve("Old");
    store.losesAnswer = true;
    await expect(write("Mine", "Old")).rejects.toThrow("No answer");
    store.losesAnswer = false;
    expect(storage.get("notes.lead-1.sent")).toEqual('["Mine"]');
    expect([await reopened()("Mine, longer", "Old"), store.text]).toEqual([null, "Mine, longer"]);
    expect(storage.get("notes.lead-1.sent")).toBeNull();
  });

  it("does not count a refused text as its own", async () => {
    const { store, write } = serve("Old");
    store.refuses = true;
    await expect(write("Mine", "Old")).rejects.toThrow("Too long");
    store.refuses = false;
    store.text = "Mine";
    expect(await write("Mine, longer", "Old")).toBe("Mine");
  });

  it("compares by reading without a crypto API, and saves when that fails", async () => {
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

it("stores only the newest unanswered texts of the newest leads", () => {
  const unanswered = createUnanswered();
  for (let lead = 0; lead < 102; lead += 1) unanswered.keep(`lead-${lead}`, [`text ${lead}`]);
  const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`);
  unanswered.keep("lead-2", texts);
  const kept = ["lead-0", "lead-1", "lead-2", "lead-3", "lead-101"].map((lead) => unanswered.of(lead));
  expect(kept).toEqual([[], [], texts.slice(2), ["text 3"], ["text 101"]]);
});
