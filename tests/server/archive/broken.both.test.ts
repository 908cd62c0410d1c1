import fs from "node:fs/promises";
import { afterAll, expect, test, vi } from "vitest";
import { openDatabase } from "../../../server/db/index.ts";
import { archiveOf } from "../../../server/archive/write.ts";
import { openArchive } from "../../../server/archive/open.ts";
import { checkArchive } from "../../../server/archive/read.ts";
import { buffer } from "node:stream/consumers";
import {
  withChanged,
  manifestOf,
  onDisk,
  rowsIn,
  unzip,
  type ManifestFile,
  withManifest,
  zipOf,
} from "../../support/archives.ts";
import { testDatabase } from "../../support/database.ts";
import { addRow } from "../../support/rows.ts";
import { fillRichly } from "../../support/rich-account.ts";

const MOST = 10_485_760;
const OWNER = "11111111-1111-4111-8111-111111111111";
const { options, drop } = await testDatabase();
const { db, close } = await openDatabase(options);
afterAll(async () => {
  await close();
  await drop();
});
await addRow(db, "auth.users", { id: OWNER, email: "a@example.com", encrypted_password: "x" });
await fillRichly(db, OWNER, 9_000_000);
const whole = await buffer(await archiveOf(db, OWNER, "2026-03-05T10:00:00.000Z"));
const files = await unzip(whole);

const verdict = (content: Uint8Array): Promise<string> =>
  onDisk(content, async (file) => {
    try {
      const archive = await openArchive(file, MOST);
      await checkArchive(archive).finally(() => archive.close());
      return "whole";
    } catch (error) {
      const { status, code, message } = error as { status?: number; code: string; message: string };
      return status === 422 ? `${code}: ${message}` : `not a refusal: ${message}`;
    }
  });
/** Changes the zip's bytes at each file header: those in the central directory and those before each file. */
const atHeaders = (change: (content: Buffer, at: number, isInDirectory: boolean) => void): Buffer => {
  const content = Buffer.from(whole);
  for (const mark of ["504b0102", "504b0304"])
    for (let at = content.indexOf(mark, 0, "hex"); at !== -1; at = content.indexOf(mark, at + 4, "hex"))
      change(content, at, mark === "504b0102");
  return content;
};
/** Renames a file; both names have the same length. */
const renamed = (from: string, to: string): Buffer =>
  atHeaders((content, at, isInDirectory) => {
    const name = at + (isInDirectory ? 46 : 30);
    if (content.subarray(name, name + from.length).equals(Buffer.from(from))) content.write(to, name);
  });
/** Writes a number at an offset of each entry of the central directory. */
const withEntry = (offset: number, value: number): Buffer =>
  atHeaders((content, at, isInDirectory) => void (isInDirectory && content.writeUInt16LE(value, at + offset)));

test("fails an export that cannot be written, and removes its folder", async () => {
  const folder = vi.spyOn(fs, "mkdtemp");
  const file = await fs.open(import.meta.filename);
  const write = vi.spyOn(Object.getPrototypeOf(file) as typeof file, "writeFile");
  await file.close();
  write.mockRejectedValueOnce(new Error("no space left on device"));
  await expect(archiveOf(db, OWNER, "2026-03-05T10:00:00.000Z")).rejects.toThrow("no space left on device");
  await expect(fs.stat((await folder.mock.results[0]?.value) as string)).rejects.toThrow("ENOENT");
});

test("accepts an unchanged archive", async () => {
  expect(await verdict(whole)).toBe("whole");
  expect(await verdict(await zipOf(files))).toBe("whole");
});

test("accepts an export of a version with fewer columns", async () => {
  const older = rowsIn(files, "leads.csv").map(({ held_from: _held, done_at: _done, ...row }) => row);
  const line = (cells: string[]) =>
    cells.map((cell) => (cell === "" ? "" : `"${cell.replaceAll('"', '""')}"`)).join(",");
  const leads = [Object.keys(older[0] ?? {}), ...older.map((row) => Object.values(row))].map(line).join("\r\n");
  expect(await verdict(await zipOf(withChanged(files, "leads.csv", () => `${leads}\r\n`)))).toBe("whole");
});

test("says what is wrong with a broken archive", async () => {
  const manifest = manifestOf(files);
  const withChange = (change: object) => zipOf(withManifest(files, { ...manifest, ...change }));
  const listed = (change: (all: typeof manifest.files) => object[]) => withChange({ files: change(manifest.files) });
  const without = (name: string) => zipOf(new Map([...files].filter(([each]) => each !== name)));
  const put = (name: string, content: string | Buffer) => zipOf(new Map(files).set(name, Buffer.from(content)));
  const edited = (name: string, change: (text: string) => string | Buffer) => zipOf(withChanged(files, name, change));
  const replaced = (name: string, from: string | RegExp, to: string) => edited(name, (text) => text.replace(from, to));
  const medium = [...files.keys()].find((name) => name.startsWith("media/")) ?? "";
  const outside = { path: "../x.csv", bytes: 1, sha256: "0".repeat(64) };
  const nine = (file: ManifestFile) => (file.path === "tags.csv" ? { ...file, rows: 9 } : file);
  const reads = "this version of Leadloom reads";
  const numbers = "A field of type number has its value in number_value only";
  const unread = "It could not be read as CSV";
  const described = "the file that media.csv describes";
  const otherTags = String(files.get("tags.csv")).replace("VIP", "PIV");
  const nameless = listed((all) => all.filter(({ path }) => path !== "tags.csv"));
  const cut = Buffer.concat([whole.subarray(0, 300), whole.subarray(700)]);
  const noUtf8 = (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xc3])]);
  const bomb = edited("tags.csv", () => Buffer.alloc(20_000_000, 0x20));
  const elsewhere = "A file in it has a path outside";
  /** What is wrong, the archive, the start of the message, and the code unless it is `archive_broken`. */
  const cases: [string, Uint8Array | Promise<Uint8Array>, string, string?][] = [
    ["nothing", new Uint8Array(), "This is not a zip file"],
    ["a text", Buffer.from("leads, messages"), "This is not a zip file"],
    ["cut off", whole.subarray(0, whole.length - 200), "This is not a zip file, or it is incomplete"],
    ["cut in the middle", cut, ""],
    ["another zip", zipOf(new Map([["a.txt", Buffer.from("a")]])), "It contains no manifest.json", "archive_unknown"],
    ["no JSON", put("manifest.json", "{"), "manifest.json is not valid JSON"],
    ["another program's", withChange({ format: "crm" }), ".*another program", "archive_unknown"],
    ["a later format", withChange({ version: 2 }), `The archive has format 2, but ${reads} up to 1`, "archive_newer"],
    ["an odd version", withChange({ version: "1" }), "manifest.json has a missing or invalid value: version"],
    ["a place outside in the manifest", listed((all) => [...all, outside]), "manifest.*: files.\\d+.path"],
    ["a file twice in the manifest", listed((all) => [...all, all[0] ?? {}]), "manifest.json lists a file twice"],
    ["a table that is not named", nameless, "manifest.json does not list tags.csv"],
    ["a missing file", without("tags.csv"), "tags.csv is missing."],
    ["a missing picture", without(medium), "media/.* is missing."],
    ["a file too many", put("evil.sh", "rm"), "It contains evil.sh, but manifest.json does not list it"],
    ["another length", put("tags.csv", "id"), "tags.csv has 2 bytes, but manifest.json says \\d+"],
    ["other content", put("tags.csv", otherTags), "tags.csv has changed since the export", "archive_changed"],
    ["another number of rows", listed((all) => all.map(nine)), "tags.csv has 3 rows, but manifest.json says 9"],
    ["a missing column", replaced("tags.csv", "color", "colour"), 'tags.csv, row 1: There is no column "color"'],
    [
      "a wrong time",
      replaced("tags.csv", /2026-03-01T/, "2026-13-01T"),
      "tags.csv, row 2: created_at: Must be an ISO time",
    ],
    ["a wrong id", replaced("lead_tags.csv", /[0-9a-f]{8}-/, "x-"), "lead_tags.csv, row 2: lead_id: Must be an id."],
    [
      "a wrong kind",
      replaced("ledger.csv", ",followup,", ",fax,"),
      "ledger.csv, row 2: kind: Must be one of reply, manual",
    ],
    ["a wrong colour", replaced("stages.csv", "#1f8a4c", "#zzzzzz"), "stages.csv, row 2: color: Must be a colour"],
    ["a text as a number", replaced("lead_fields.csv", ",,-12.05", ",dear,"), `lead_fields.csv, row 2: ${numbers}`],
    ["JSON that is none", replaced("views.csv", '"[""name""', '"[""name'), "views.csv, row 2"],
    ["an open quotation", edited("snippets.csv", (text) => `${text}"`), `snippets.csv, row \\d: ${unread}`],
    ["bytes that are no UTF-8", edited("tags.csv", noUtf8), "tags.csv is not valid UTF-8"],
    ["impossible settings", replaced("settings.json", "Europe/Berlin", "Mars/Olympus"), "settings.json: time_zone: "],
    ["an unknown setting", edited("settings.json", () => '{"is_admin": true}'), "settings.json: is_admin"],
    ["a program as a picture", edited(medium, () => "#!/bin/sh\n"), "media/.* is neither a picture nor"],
    ["another picture", replaced("media.csv", /[0-9a-f]{64}/, "0".repeat(64)), `media/.* is not ${described}`],
    ["a bomb", bomb, "Unpacked, tags.csv would be more than 300 times as large"],
    ["a way up", renamed("tags.csv", "../x.csv"), elsewhere],
    ["a way from the root", renamed("tags.csv", "/etc.csv"), elsewhere],
    ["a way by backslashes", renamed("tags.csv", "..\\x.csv"), elsewhere],
    ["two files of one name", renamed("lead_tags.csv", "followups.csv"), "It contains followups.csv twice"],
    ["an encrypted file", withEntry(8, 1), "The zip file is encrypted"],
    ["another compression", withEntry(10, 12), "The zip file uses an unsupported compression method"],
  ];
  for (const [name, content, words, code = "archive_broken"] of cases)
    expect([name, await verdict(await content)]).toEqual([name, expect.stringMatching(`^${code}: ${words}`)]);
});

test("refuses an archive that is too large unpacked, before unpacking it", async () => {
  const withChange = await onDisk(whole, (file) => openArchive(file, 10).then(String, (error: Error) => error.message));
  expect(withChange).toBe("Unpacked, it would be larger than any account can be.");
});
