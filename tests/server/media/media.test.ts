import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Followup } from "../../../domain/followup.ts";
import { MEDIA_MAX_BYTES, SNIPPETS_MAX } from "../../../domain/limits.ts";
import { checkMedia, storeMedia } from "../../../server/media/store.ts";
import { tidyMedia } from "../../../server/media/tidy.ts";
import { isRealPostgres } from "../../support/database.ts";
import { newLead, startTestEngine, type Seller } from "../../support/engine.ts";
import { GIF, HTML, JPEG, MOV, MP4, PDF, PNG, pngOf, SVG, WEBM, WEBP, ZIP } from "../../support/files.ts";
import { form } from "../../support/form.ts";
import { ownEngine } from "../../support/servers.ts";
import { waitFor } from "../../support/waiting.ts";

const engine = await ownEngine();

const add = (seller: Seller, file: Uint8Array, filename?: string, message = "Look") => {
  const { payload, headers } = form({ stage_id: seller.stageId, message, delay_hours: "24" }, file, filename);
  return engine.call(seller, "POST", "/api/followups", payload, headers);
};
const get = (url: string, headers: Record<string, string> = {}) => engine.app.inject({ method: "GET", url, headers });
const added = async (seller: Seller, file: Uint8Array) => (await add(seller, file)).json<Followup>();

describe("an attached file", () => {
  it.each([
    ["png", PNG],
    ["jpg", JPEG],
    ["gif", GIF],
    ["webp", WEBP],
    ["mp4", MP4],
    ["mov", MOV],
    ["webm", WEBM],
  ])("may be a %s, whatever its name says", async (type, file) => {
    const seller = await engine.newSeller();
    const answer = await add(seller, file, "invoice.exe");
    expect(answer.statusCode).toBe(200);
    expect(answer.json<Followup>().media_type).toBe(type);
  });

  it.each([
    ["an SVG", SVG],
    ["a page", HTML],
    ["an archive", ZIP],
    ["a document", PDF],
    ["nothing", Buffer.alloc(0)],
    ["a few bytes", Buffer.from([0xff, 0xd8])],
  ])("may not be %s, though it is called picture.png", async (_, file) => {
    const seller = await engine.newSeller();
    const answer = await add(seller, file, "../picture.png");
    expect(answer.statusCode).toBe(415);
    expect(answer.json()).toEqual({
      code: "unsupported_media_type",
      message: "Attach a picture (PNG, JPEG, GIF, WebP) or a video (MP4, MOV, WebM).",
      params: { reason: "media" },
    });
  });

  it.each([
    ["10,485,760 bytes", MEDIA_MAX_BYTES, 1, 200],
    ["one byte more", MEDIA_MAX_BYTES + 1, 1, 413],
    ["a megabyte more", MEDIA_MAX_BYTES + 1_000_000, 1, 413],
    ["a text of 1,024 characters beside it, as at Telegram", PNG.length, 1_024, 200],
    ["a longer text", PNG.length, 1_025, 422],
  ])("with %s is answered as its limits say", async (_what, size, length, status) => {
    const seller = await engine.newSeller();
    expect((await add(seller, pngOf(size), "a.png", "x".repeat(length))).statusCode).toBe(status);
  });

  it("is stored once for a seller and apart from others'", async () => {
    const [one, other] = [await engine.newSeller(), await engine.newSeller()];
    for (const seller of [one, one, other]) await added(seller, PNG);
    const stored = await engine.deps.db
      .selectFrom("media")
      .select("owner_id")
      .where("owner_id", "in", [one.id, other.id])
      .execute();
    expect(stored.map(({ owner_id: id }) => id).toSorted()).toEqual([one.id, other.id].toSorted());
  });
});

const filesOf = async (seller: Seller) => {
  const files = await engine.deps.db.selectFrom("media").select("size").where("owner_id", "=", seller.id).execute();
  return files.map(({ size }) => size);
};

describe("a call that is refused", () => {
  it("leaves no file behind", async () => {
    const seller = await engine.newSeller();
    await newLead(engine, seller);
    const post = async (url: string, fields: Record<string, string>) => {
      const { payload, headers } = form(fields, PNG);
      return (await engine.call(seller, "POST", url, payload, headers)).json<{ code: string }>().code;
    };
    const step = { stage_id: seller.stageId, message: "Look", delay_hours: "24", followup_order: "0" };
    const taken = { stage_id: seller.stageId, message: "Taken", followup_order: 0 };
    await engine.call(seller, "POST", "/api/followups", taken);
    const texts = Array.from({ length: SNIPPETS_MAX }, (_, index) => ({
      owner_id: seller.id,
      title: `Text ${index}`,
      text: "Hello",
      created_at: engine.clock.iso(),
    }));
    await engine.deps.db.insertInto("snippets").values(texts).execute();
    expect([
      await post("/api/followups", step),
      await post("/api/followups", { ...step, stage_id: "00000000-0000-4000-8000-000000000000" }),
      await post("/api/bulk", { message: "News", stage_id: "00000000-0000-4000-8000-000000000000", throttle: "1" }),
      await post("/api/snippets", { title: "One more", text: "Hello" }),
    ]).toEqual(["duplicate_order", "invalid_input", "no_targets", "too_many_snippets"]);
    expect(await filesOf(seller)).toEqual([]);
  });
});

describe("the files of one seller", () => {
  it("are limited together; a file that is stored already is taken again", async () => {
    const small = await startTestEngine({ MEDIA_PER_USER_MB: "1" });
    onTestFinished(() => small.stop());
    const [seller, other] = [await small.newSeller(), await small.newSeller()];
    const send = async (who: Seller, file: Uint8Array) => {
      const { payload, headers } = form({ stage_id: who.stageId, message: "Look" }, file);
      const authorization = `Bearer ${who.id}`;
      const url = "/api/followups";
      return small.app.inject({ method: "POST", url, headers: { ...headers, authorization }, payload });
    };
    const file = (size: number, mark: number) => Buffer.from(pngOf(size)).fill(mark, size - 1);
    expect((await send(seller, file(700_000, 1))).statusCode).toBe(200);
    const refused = await send(seller, file(700_000, 2));
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      {
        code: "media_full",
        message:
          "Your files may take up 1 MB in all. Delete a follow-up or a snippet with a file first: a file that nothing uses is gone a day later.",
        params: { megabytes: 1 },
      },
    ]);
    expect((await send(seller, file(700_000, 1))).statusCode).toBe(200);
    expect((await send(seller, file(300_000, 3))).statusCode).toBe(200);
    expect((await send(other, file(700_000, 2))).statusCode).toBe(200);
  });
});

describe("a file that nothing uses any more", () => {
  it("is deleted with many others in small batches, and those in use are passed over", async () => {
    const seller = await engine.newSeller();
    const used = await Promise.all([PNG, GIF, JPEG].map((file) => added(seller, file)));
    const file = { owner_id: seller.id, kind: "image" as const, extension: "png", mime: "image/png", size: 1 };
    const at = (index: number) => new Date(engine.clock.now() + index).toISOString();
    const unused = Array.from({ length: 120 }, (_, index) => ({ ...file, sha256: `${index}`, created_at: at(index) }));
    await engine.deps.db.insertInto("media").values(unused).execute();
    await engine.advance(90_000);
    const batches: number[] = [];
    const db = engine.deps.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        batches.push(result.rows.length);
        return result;
      },
    });
    await tidyMedia({ ...engine.deps, db });
    expect(await filesOf(seller)).toHaveLength(used.length);
    expect([Math.max(...batches), batches.length > 2]).toEqual([50, true]);
  });

  it.skipIf(!isRealPostgres)("stays when a call uses it again while clean-up deletes it", async () => {
    const { db } = engine.deps;
    const seller = await engine.newSeller();
    const { id } = await added(seller, PNG);
    await engine.call(seller, "DELETE", `/api/followups/${id}`);
    await engine.advance(90_000);
    const stored = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const file = await checkMedia(PNG);
    const using = db.transaction().execute(async (tx) => {
      await storeMedia(tx, engine.deps, seller.id, file);
      stored.resolve();
      await end.promise;
    });
    await stored.promise;
    const tidied = tidyMedia(engine.deps);
    await waitFor(async () => {
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect((await waiting.execute(db)).rows).toHaveLength(1);
    });
    end.resolve();
    await Promise.all([using, tidied]);
    expect(await filesOf(seller)).toEqual([PNG.length]);
  });

  it("is put away after a day; one that a follow-up shows stays", async () => {
    const seller = await engine.newSeller();
    await added(seller, PNG);
    const { id } = await added(seller, GIF);
    await engine.call(seller, "DELETE", `/api/followups/${id}`);
    const storedKinds = async () => {
      await tidyMedia(engine.deps);
      const files = await engine.deps.db
        .selectFrom("media")
        .select("extension")
        .where("owner_id", "=", seller.id)
        .orderBy("extension")
        .execute();
      return files.map(({ extension }) => extension);
    };
    expect(await storedKinds()).toEqual(["gif", "png"]);
    await engine.advance(90_000);
    expect(await storedKinds()).toEqual(["png"]);
  });
});

describe("the link to a file", () => {
  it("needs no token, tells the file's type, and lets a browser do nothing but show it", async () => {
    const seller = await engine.newSeller();
    const { media_url: url } = await added(seller, PNG);
    const answer = await get(url ?? "");
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload).toEqual(PNG);
    expect(answer.headers).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "accept-ranges": "bytes",
      "content-length": String(PNG.length),
    });
  });

  it("serves ranges, as players of videos ask for", async () => {
    const seller = await engine.newSeller();
    const { media_url: url } = await added(seller, MP4);
    const range = async (header: string) => {
      const { statusCode, headers, rawPayload } = await get(url ?? "", { range: header });
      return [statusCode, headers["content-range"], rawPayload.toString("hex")];
    };
    const size = MP4.length;
    expect(await range("bytes=4-7")).toEqual([206, `bytes 4-7/${size}`, MP4.subarray(4, 8).toString("hex")]);
    expect(await range("bytes=80-")).toEqual([206, `bytes 80-${size - 1}/${size}`, MP4.subarray(80).toString("hex")]);
    expect(await range("bytes=-4")).toEqual([206, `bytes ${size - 4}-${size - 1}/${size}`, "00000000"]);
    expect((await range("bytes=0-"))[0]).toBe(206);
    expect(await range("bytes=9999-")).toEqual([416, `bytes */${size}`, ""]);
  });

  it("is of no use once it ended, was altered, or names another file", async () => {
    const seller = await engine.newSeller();
    const url = String((await added(seller, PNG)).media_url);
    const other = String((await added(seller, GIF)).media_url);
    const [path = "", query = ""] = url.split("?");
    const altered = [
      url.replace("signature=", "signature=A"),
      url.replace(/expires=\d/, "expires=9"),
      `${other.split("?")[0]}?${query}`,
      `${path}?expires=99999999999999&signature=x`,
    ];
    expect(await Promise.all(altered.map(async (each) => (await get(each)).statusCode))).toEqual([404, 404, 404, 404]);
    const expires = Number(new URLSearchParams(query).get("expires"));
    await engine.advance((expires - engine.clock.now() - 1) / 1000);
    expect((await get(url)).statusCode).toBe(200);
    await engine.advance(0.001);
    expect((await get(url)).statusCode).toBe(404);
  });
});
