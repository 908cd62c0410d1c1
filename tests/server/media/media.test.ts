import { describe, expect, it, onTestFinished } from "vitest";
import type { Followup } from "../../../domain/followup.ts";
import { MEDIA_MAX_BYTES, SNIPPETS_MAX } from "../../../domain/limits.ts";
import { checkMedia, storeMedia } from "../../../server/media/store.ts";
import { tidyMedia } from "../../../server/media/tidy.ts";
import { isRealPostgres } from "../../support/database.ts";
import { newLead, ownEngine, type Seller, startTestEngine } from "../../support/engine.ts";
import { GIF, HTML, JPEG, MOV, MP4, PDF, PNG, pngOf, SVG, WEBM, WEBP, ZIP } from "../../support/files.ts";
import { formWith } from "../../support/form.ts";
import { addRows, rowsOf, watchResults } from "../../support/rows.ts";
import { untilLocked } from "../../support/waiting.ts";

const engine = await ownEngine();

type File = Uint8Array<ArrayBuffer>;
const add = (seller: Seller, file: File, filename?: string, message = "Look") => {
  const step = formWith({ stage_id: seller.stageId, message, delay_hours: "24" }, file, filename);
  return engine.call<Followup>(seller, "POST", "/followups", step);
};
const get = (url: string, headers: Record<string, string> = {}) => engine.app.inject({ method: "GET", url, headers });
const added = async (seller: Seller, file: File) => (await add(seller, file)).body;

const filesOf = async ({ id }: Seller) =>
  (await rowsOf(engine.deps.db, "media", { owner_id: id }, ["size"])).map(({ size }) => size);

describe("an attached file", () => {
  it("may be a picture or a video, whatever its name says", async () => {
    const seller = await engine.newSeller();
    const files = { png: PNG, jpg: JPEG, gif: GIF, webp: WEBP, mp4: MP4, mov: MOV, webm: WEBM };
    for (const [type, file] of Object.entries(files))
      expect((await add(seller, file, "invoice.exe")).body.media_type).toBe(type);
  });

  it("may be no other type, even if it is called picture.png", async () => {
    const seller = await engine.newSeller();
    const files = { SVG, HTML, ZIP, PDF, empty: Buffer.alloc(0), short: Buffer.from([0xff, 0xd8]) };
    for (const [kind, file] of Object.entries(files)) {
      const answer = await add(seller, file, "../picture.png");
      expect([kind, answer.status, answer.body]).toEqual([
        kind,
        415,
        {
          code: "unsupported_media_type",
          message: "Attach a picture (PNG, JPEG, GIF, WebP) or a video (MP4, MOV, WebM).",
          params: { reason: "media" },
        },
      ]);
    }
  });

  it.each([
    ["10,485,760 bytes", MEDIA_MAX_BYTES, 1, 200],
    ["one byte more", MEDIA_MAX_BYTES + 1, 1, 413],
    ["a text of 1,024 characters beside it, as at Telegram", PNG.length, 1_024, 200],
    ["a longer text", PNG.length, 1_025, 422],
  ])("with %s gets the response of its limits", async (_what, size, length, status) => {
    const seller = await engine.newSeller();
    expect((await add(seller, pngOf(size), "a.png", "x".repeat(length))).status).toBe(status);
  });

  it("is stored once per owner", async () => {
    const [one, other] = [await engine.newSeller(), await engine.newSeller()];
    for (const seller of [one, one, other]) await added(seller, PNG);
    expect([await filesOf(one), await filesOf(other)]).toEqual([[PNG.length], [PNG.length]]);
  });
});

describe("the files of one seller", () => {
  it("are not stored when their call is refused", async () => {
    const seller = await engine.newSeller();
    await newLead(engine, seller);
    const post = async (url: string, fields: Record<string, string>) =>
      (await engine.call(seller, "POST", url, formWith(fields, PNG))).body.code;
    const step = { stage_id: seller.stageId, message: "Look", delay_hours: "24", followup_order: "0" };
    const taken = { stage_id: seller.stageId, message: "Taken", followup_order: 0 };
    await engine.call(seller, "POST", "/followups", taken);
    const snippet = { owner_id: seller.id, text: "Hello", created_at: engine.clock.iso() };
    const snippets = Array.from({ length: SNIPPETS_MAX }, (_, index) => ({ ...snippet, title: `Text ${index}` }));
    await addRows(engine.deps.db, "snippets", snippets);
    expect([
      await post("/followups", step),
      await post("/followups", { ...step, stage_id: "00000000-0000-4000-8000-000000000000" }),
      await post("/bulk", { message: "News", stage_id: "00000000-0000-4000-8000-000000000000", throttle: "1" }),
      await post("/snippets", { title: "One more", text: "Hello" }),
    ]).toEqual(["duplicate_order", "invalid_input", "no_targets", "too_many_snippets"]);
    expect(await filesOf(seller)).toEqual([]);
  });

  it("have a total limit, except for files that are already stored", async () => {
    const small = await startTestEngine({ MEDIA_PER_USER_MB: "1" });
    onTestFinished(() => small.stop());
    const [seller, other] = [await small.newSeller(), await small.newSeller()];
    const send = (who: Seller, file: File) =>
      small.call(who, "POST", "/followups", formWith({ stage_id: who.stageId, message: "Look" }, file));
    const file = (size: number, mark: number) => Buffer.from(pngOf(size)).fill(mark, size - 1);
    expect((await send(seller, file(700_000, 1))).status).toBe(200);
    const refused = await send(seller, file(700_000, 2));
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        code: "media_full",
        message:
          "Your files may take up 1 MB in all. Delete a follow-up or a snippet with a file first: a file that nothing uses is gone a day later.",
        params: { megabytes: 1 },
      },
    ]);
    expect((await send(seller, file(700_000, 1))).status).toBe(200);
    expect((await send(seller, file(300_000, 3))).status).toBe(200);
    expect((await send(other, file(700_000, 2))).status).toBe(200);
  });
});

describe("an unused file", () => {
  it("is deleted a day later in small batches, unlike files in use", async () => {
    const seller = await engine.newSeller();
    const used = await Promise.all([PNG, GIF, JPEG].map((file) => added(seller, file)));
    const file = { owner_id: seller.id, kind: "image" as const, extension: "png", mime: "image/png", size: 1 };
    const at = (index: number) => new Date(engine.clock.now() + index).toISOString();
    const unused = Array.from({ length: 120 }, (_, index) => ({ ...file, sha256: `${index}`, created_at: at(index) }));
    await engine.deps.db.insertInto("media").values(unused).execute();
    await engine.advance(86_000);
    await tidyMedia(engine.deps);
    expect(await filesOf(seller)).toHaveLength(used.length + unused.length);
    await engine.advance(1_000);
    const batches: number[] = [];
    const db = watchResults(engine.deps.db, ({ rows }) => batches.push(rows.length));
    await tidyMedia({ ...engine.deps, db });
    expect(await filesOf(seller)).toHaveLength(used.length);
    expect([Math.max(...batches), batches.length > 2]).toEqual([50, true]);
  });

  it.skipIf(!isRealPostgres)("stays when a call uses it again during clean-up", async () => {
    const { db } = engine.deps;
    const seller = await engine.newSeller();
    const { id } = await added(seller, PNG);
    await engine.call(seller, "DELETE", `/followups/${id}`);
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
    await untilLocked(db, 1);
    end.resolve();
    await Promise.all([using, tidied]);
    expect(await filesOf(seller)).toEqual([PNG.length]);
  });
});

describe("the link to a file", () => {
  it("needs no token, sends the file's type, and lets a browser only show it", async () => {
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

  it("is refused when expired, altered, or for another file", async () => {
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
