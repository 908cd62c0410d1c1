import { describe, expect, it } from "vitest";
import type { Message } from "../../../domain/message.ts";
import { PART_BYTES } from "../../../server/conversation/file-parts.ts";
import { tidyMedia } from "../../../server/media/tidy.ts";
import { PNG } from "../../support/files.ts";
import { addRows, changeRows, rowsOf } from "../../support/rows.ts";
import { formWith } from "../../support/form.ts";
import { newSeller, type ConnectedSeller } from "./support.ts";
import { ownServer } from "../../support/server.ts";

const MB = 1_048_576;
/** A PNG with a comment of this many bytes, which Telegram drops. */
const withComment = (bytes: number): Buffer<ArrayBuffer> => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(bytes);
  head.write("tEXt", 4);
  return Buffer.concat([PNG.subarray(0, 33), head, Buffer.alloc(bytes + 4), PNG.subarray(33)]);
};
const server = await ownServer({ MEDIA_CACHE_MB: "1" });
const user = await newSeller(server);
const { user_id: person, lead } = await user.receive({ first_name: "Ann" }, "Look at these");

/** Receives a sample of that kind from the person. Resolves with the message as the conversation shows it. */
async function receives(
  media: string,
  text = "",
  from: { seller: ConnectedSeller; lead: string; person: number } = { seller: user, lead, person },
): Promise<Message> {
  const sample = { from: { user_id: from.person, first_name: "Ann" }, text, media };
  const { message_id } = await from.seller.callSandbox<{ message_id: number }>("/receive", sample);
  const isIt = (message: Message) => message.message_id === message_id;
  return (await from.seller.until(from.lead, (all) => all.some(isIt))).find(isIt) as Message;
}
const fetchFile = async (message: Message, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${server.url}${message.media?.url}`, { headers });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const cached = () => rowsOf(server.deps.db, "file_parts", {}, ["message_id", "size"]);

describe("a received file", () => {
  it.each([
    ["photo", { width: 320, height: 240, seconds: null, name: null }],
    ["video", { width: 8, height: 8, seconds: 1, name: null }],
    ["voice", { width: null, height: null, seconds: 3, name: null }],
    ["audio", { seconds: 3, name: "tone.wav" }],
    ["document", { name: "offer.pdf", seconds: null }],
    ["sticker", { width: 512, height: 512 }],
  ])("is listed as a %s with its size before it is downloaded", async (kind, facts) => {
    const before = (await cached()).length;
    const message = await receives(kind, kind === "sticker" ? "" : "see");
    expect(message).toMatchObject({ kind, direction: "in", media: { url: expect.any(String), ...facts } });
    expect(message.media?.size).toBeGreaterThan(0);
    expect(message.media?.preview?.slice(0, 22) ?? null).toEqual(kind === "photo" ? "data:image/png;base64," : null);
    expect((await cached()).length).toEqual(before);
  });

  it("is downloaded on demand, stored, and served whole or in ranges", async () => {
    const photo = await receives("photo");
    const whole = await fetchFile(photo);
    expect(whole.headers.get("content-type")).toEqual("image/jpeg");
    expect([whole.status, whole.bytes.length]).toEqual([200, photo.media?.size]);
    expect(whole.bytes.subarray(1, 4).toString()).toEqual("PNG");
    const document = await receives("document");
    const size = document.media?.size ?? 0;
    expect(size).toBeGreaterThan(MB);
    const middle = await fetchFile(document, { range: "bytes=524280-524295" });
    expect([middle.status, middle.headers.get("content-range")]).toEqual([206, `bytes 524280-524295/${size}`]);
    const all = await fetchFile(document);
    expect(all.bytes.length).toEqual(size);
    expect(all.bytes.subarray(524_280, 524_296).equals(middle.bytes)).toEqual(true);
    expect(all.headers.get("content-disposition")).toEqual("attachment; filename*=UTF-8''offer.pdf");
    expect((await fetchFile(document, { range: `bytes=${size}-` })).status).toEqual(416);
  });

  it("is evicted least recently used first at the installation's limit", async () => {
    for (let count = 0; count < 3; count += 1) await fetchFile(await receives("document"));
    const left = await cached();
    expect(left.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MB);
    expect(left.length).toBeGreaterThan(0);
  });

  it("is served only by a signed link, which expires within a day", async () => {
    const voice = await receives("voice");
    const url = new URL(`${server.url}${voice.media?.url}`);
    expect(Number(url.searchParams.get("expires")) - server.deps.clock.now()).toBeLessThanOrEqual(86_400_000);
    expect((await fetch(url)).status).toEqual(200);
    const other = await receives("audio");
    const forged = new URL(url);
    forged.pathname = new URL(`${server.url}${other.media?.url}`).pathname;
    expect((await fetch(forged)).status).toEqual(404);
    forged.searchParams.set("signature", "x");
    expect((await fetch(forged)).status).toEqual(404);
  });

  it("is deleted with its message", async () => {
    const photo = await receives("photo");
    expect((await fetchFile(photo)).status).toEqual(200);
    await user.callSandbox(`/messages/${photo.message_id}`, undefined, "DELETE");
    const all = await user.until(lead, (messages) =>
      messages.some(({ id, deleted_at }) => id === photo.id && !!deleted_at),
    );
    expect(all.find(({ id }) => id === photo.id)).toMatchObject({ media: null, text: "" });
    expect((await fetchFile(photo)).status).toEqual(404);
    expect((await cached()).filter(({ message_id: id }) => id === photo.id)).toEqual([]);
  });

  it("is fetched again when its sender replaces it", async () => {
    const photo = await receives("photo");
    expect((await fetchFile(photo)).status).toEqual(200);
    const edit = { text: "The offer instead", media: "document" };
    await user.callSandbox(`/messages/${photo.message_id}`, edit, "PATCH");
    const isEdited = ({ id, kind }: Message) => id === photo.id && kind === "document";
    const edited = (await user.until(lead, (all) => all.some(isEdited))).find(isEdited) as Message;
    const { status, bytes } = await fetchFile(edited);
    expect([status, bytes.length, bytes.subarray(0, 5).toString()]).toEqual([200, edited.media?.size, "%PDF-"]);
    expect(bytes.length).toBeGreaterThan(MB);
  });

  it("waits for Telegram's limit without delaying sends", async () => {
    const document = await receives("document");
    await user.callSandbox("/faults", { method: "upload.getFile", error: "FLOOD_WAIT_30" });
    const refused = await fetchFile(document);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 20]).toEqual([429, true]);
    await user.call("POST", `/leads/${lead}/messages`, { text: "Still here" });
    await user.until(lead, ([last]) => last?.text === "Still here" && last.state === "sent");
    await server.advance(31);
    expect((await fetchFile(document)).status).toEqual(200);
  });

  it("can be retried after an outage, and is gone when Telegram says so", async () => {
    const photo = await receives("photo");
    const away = [
      503,
      "5",
      { code: "file_away", message: "The file cannot be fetched from Telegram right now. Try again." },
    ];
    for (const error of ["TIMEOUT", "INTERNAL_SERVER_ERROR", "FILE_REFERENCE_EXPIRED", "LIMIT_INVALID"]) {
      await user.callSandbox("/faults", { method: "upload.getFile", error, times: 2 });
      const { status, headers, bytes } = await fetchFile(photo);
      expect([error, status, headers.get("retry-after"), JSON.parse(bytes.toString())]).toEqual([error, ...away]);
      await user.callSandbox("/faults", undefined, "DELETE");
    }
    await user.callSandbox("/faults", { method: "upload.getFile", error: "FILE_ID_INVALID", times: 2 });
    expect((await fetchFile(photo)).status).toBe(404);
    await user.callSandbox("/faults", undefined, "DELETE");
    expect((await fetchFile(photo)).status).toBe(200);
  });
});

describe("a photo sent from the app", () => {
  const LARGE = withComment(700_000);
  /** Sends a photo that Telegram shrinks. Resolves with its message once it is sent. */
  const sendPhoto = async (text: string): Promise<Message> => {
    const body = formWith({ text }, LARGE);
    await user.call("POST", `/leads/${lead}/messages`, body);
    const isSent = (message?: Message) => message?.text === text && message.state === "sent";
    return (await user.until(lead, ([last]) => isSent(last)))[0] as Message;
  };
  /** Deletes unused uploads as if two days had passed. */
  const tidy = async () => {
    const created_at = new Date(server.deps.clock.now() - 172_800_000).toISOString();
    await changeRows(server.deps.db, "media", { owner_id: user.userId }, { created_at });
    await tidyMedia(server.deps);
  };

  it("is served from Telegram's smaller copy after the upload is deleted", async () => {
    const photo = await sendPhoto("Our price list");
    expect((await fetchFile(photo)).bytes.equals(LARGE)).toBe(true);
    await tidy();
    const { status, headers, bytes } = await fetchFile(photo);
    const described = [status, headers.get("content-length"), headers.get("content-type")];
    expect(described).toEqual([200, String(PNG.length), "image/jpeg"]);
    expect(bytes.equals(PNG)).toBe(true);
  });

  it("is served from Telegram's copy after an edit on the phone", async () => {
    const photo = await sendPhoto("Draft of the list");
    await user.callSandbox(`/messages/${photo.message_id}`, { text: "Final list" }, "PATCH");
    const [edited] = await user.until(lead, ([last]) => last?.text === "Final list");
    const { status, bytes } = await fetchFile(edited as Message);
    expect([status, bytes.equals(PNG)]).toEqual([200, true]);
  });

  it.each([700_000, PNG.length - 1])("is served whole when an earlier version stored the size %i", async (size) => {
    const photo = await sendPhoto(`Stored as ${size}`);
    await tidy();
    const media = JSON.stringify({ mime: "image/png", size });
    await changeRows(server.deps.db, "messages", { id: photo.id }, { media });
    const whole = await fetchFile(photo);
    expect([whole.status, whole.bytes.equals(PNG)]).toEqual([200, true]);
    const range = await fetchFile(photo, { range: "bytes=0-" });
    const { length } = PNG;
    expect([range.status, range.headers.get("content-range")]).toEqual([206, `bytes 0-${length - 1}/${length}`]);
    expect((await user.messages(lead)).find(({ id }) => id === photo.id)?.media?.size).toEqual(length);
  });

  it.each([1_000, 2_000_000])("is served whole in two parts when the size %i was stored", async (size) => {
    const photo = await sendPhoto(`In two parts, stored as ${size}`);
    await tidy();
    const media = JSON.stringify({ mime: "image/png", size });
    await changeRows(server.deps.db, "messages", { id: photo.id }, { media });
    const parts = [Buffer.alloc(PART_BYTES, "a"), Buffer.from("the end")];
    const row = { owner_id: user.userId, message_id: photo.id, used_at: server.deps.clock.iso() };
    const rows = parts.map((bytes, part) => ({ ...row, part, bytes, size: bytes.length }));
    await addRows(server.deps.db, "file_parts", rows);
    const end = await fetchFile(photo, { range: "bytes=-3" });
    expect([end.status, end.bytes.toString()]).toEqual([206, "end"]);
    const whole = await fetchFile(photo);
    expect([whole.status, whole.bytes.equals(Buffer.concat(parts))]).toEqual([200, true]);
  });

  it("is served whole when its update arrives before the response to the send", async () => {
    const [stage] = await user.get<{ id: string }[]>("/api/stages");
    const step = formWith({ stage_id: stage?.id, message: "The list again", delay_hours: "24" }, LARGE);
    await user.call("POST", "/followups", step);
    const lost = { method: "messages.sendMedia", error: "DROP_CONNECTION", after_delivery: true };
    await user.callSandbox("/faults", lost);
    const sending = user.call("POST", `/followups/send/${lead}`);
    const [photo] = await user.until(lead, ([last]) => last?.source === "followup" && last.state === "sent");
    await sending;
    const { status, bytes } = await fetchFile(photo as Message);
    expect([photo?.text, status, bytes.equals(LARGE)]).toEqual(["The list again", 200, true]);
  });
});

describe("a file of an account that is not connected", () => {
  it("says so, unless it is stored", async () => {
    const owner = await newSeller(server);
    const { user_id, lead: chat } = await owner.receive({ first_name: "Ben" }, "Hello");
    const from = { seller: owner, lead: chat, person: user_id };
    const [left, other] = [await receives("photo", "", from), await receives("photo", "", from)];
    expect((await fetchFile(left)).status).toBe(200);
    const refused = {
      code: "not_connected",
      message: "This file belongs to a Telegram account that is not connected now. Connect that account to see it.",
      params: { reason: "file" },
    };
    const answerOf = async (photo: Message) => {
      const { status, bytes } = await fetchFile(photo);
      return status === 200 ? status : [status, JSON.parse(bytes.toString())];
    };
    await owner.call("POST", "/telegram/disconnect");
    expect([await answerOf(left), await answerOf(other)]).toEqual([200, [409, refused]]);
    await server.connect(owner);
    expect([await answerOf(left), await answerOf(other)]).toEqual([200, [409, refused]]);
  });
});
