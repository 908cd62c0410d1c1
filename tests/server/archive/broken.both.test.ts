import { beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../server/db/index.ts";
import { archiveOf } from "../../../server/archive/index.ts";
import { openArchive } from "../../../server/archive/open.ts";
import { checkArchive } from "../../../server/archive/read.ts";
import { buffer } from "node:stream/consumers";
import { changed, manifestOf, onDisk, rowsIn, unzip, withManifest, zipOf, type Files } from "../../support/archives.ts";
import { testDatabase } from "../../support/database.ts";
import { fillRichly } from "../../support/rich-account.ts";

const MOST = 10_485_760;
const OWNER = "11111111-1111-4111-8111-111111111111";
let whole: Buffer;
let files: Files;

beforeAll(async () => {
  const { options, drop } = await testDatabase();
  const { db, close } = await openDatabase(options);
  await db.insertInto("auth.users").values({ id: OWNER, email: "a@example.com", encrypted_password: "x" }).execute();
  await fillRichly(db, OWNER, 9_000_000);
  whole = await buffer(await archiveOf(db, OWNER, "2026-03-05T10:00:00.000Z"));
  await close();
  await drop();
  files = await unzip(whole);
});

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
/** Another name of the same length, in the directory and before the file. */
const renamed = (from: string, to: string): Buffer => {
  const content = Buffer.from(whole);
  for (let at = content.indexOf(from); at !== -1; at = content.indexOf(from, at + 1)) {
    const isHeader = [0x04034b50, 0x02014b50].some(
      (mark, place) => content.readUInt32LE(at - [30, 46][place]!) === mark,
    );
    if (isHeader) content.write(to, at);
  }
  return content;
};
const withFlag = (bit: number): Buffer => {
  const content = Buffer.from(whole);
  const at = content.indexOf(Buffer.from("504b0102", "hex"));
  content.writeUInt16LE(content.readUInt16LE(at + 8) | bit, at + 8);
  return content;
};
const withMethod = (method: number): Buffer => {
  const content = Buffer.from(whole);
  for (
    let at = content.indexOf(Buffer.from("504b0102", "hex"));
    at !== -1;
    at = content.indexOf(Buffer.from("504b0102", "hex"), at + 4)
  )
    content.writeUInt16LE(method, at + 10);
  return content;
};

test("an archive as it was made is whole", async () => {
  expect(await verdict(whole)).toBe("whole");
  expect(await verdict(await zipOf(files))).toBe("whole");
});

test("an export of a version that had fewer columns is whole", async () => {
  const older = rowsIn(files, "leads.csv").map(({ held_from: _held, ...row }) => row);
  const line = (cells: string[]) =>
    cells.map((cell) => (cell === "" ? "" : `"${cell.replaceAll('"', '""')}"`)).join(",");
  const leads = [Object.keys(older[0] ?? {}), ...older.map((row) => Object.values(row))].map(line).join("\r\n");
  expect(await verdict(await zipOf(changed(files, "leads.csv", () => `${leads}\r\n`)))).toBe("whole");
});

test("whatever is wrong with an archive is told in words that say what", async () => {
  const manifest = manifestOf(files);
  const without = (name: string) => new Map([...files].filter(([each]) => each !== name));
  const medium = [...files.keys()].find((name) => name.startsWith("media/")) ?? "";
  const cases: [string, Uint8Array | Promise<Uint8Array>, RegExp][] = [
    ["nothing", new Uint8Array(), /^archive_broken: This is no zip file/],
    ["a text", Buffer.from("leads, messages"), /^archive_broken: This is no zip file/],
    ["cut off", whole.subarray(0, whole.length - 200), /^archive_broken: This is no zip file, or it is not whole/],
    ["cut in the middle", Buffer.concat([whole.subarray(0, 300), whole.subarray(700)]), /^archive_broken: /],
    [
      "another zip",
      zipOf(new Map([["a.txt", Buffer.from("a")]])),
      /^archive_unknown: There is no manifest\.json in it/,
    ],
    [
      "no JSON",
      zipOf(new Map(files).set("manifest.json", Buffer.from("{"))),
      /^archive_broken: manifest\.json is no JSON/,
    ],
    [
      "another program's",
      zipOf(withManifest(files, { ...manifest, format: "crm" })),
      /^archive_unknown: .*another program/,
    ],
    [
      "a later format",
      zipOf(withManifest(files, { ...manifest, version: 2 })),
      /^archive_newer: The archive is of format 2, and this Leadloom reads up to 1/,
    ],
    [
      "an odd version",
      zipOf(withManifest(files, { ...manifest, version: "1" })),
      /^archive_broken: manifest\.json does not say what it must: version/,
    ],
    [
      "a place outside in the manifest",
      zipOf(
        withManifest(files, {
          ...manifest,
          files: [...manifest.files, { path: "../x.csv", bytes: 1, sha256: "0".repeat(64) }],
        }),
      ),
      /^archive_broken: manifest\.json does not say what it must: files\.\d+\.path/,
    ],
    [
      "a file twice in the manifest",
      zipOf(withManifest(files, { ...manifest, files: [...manifest.files, manifest.files[0]] })),
      /^archive_broken: manifest\.json names a file twice/,
    ],
    [
      "a table that is not named",
      zipOf(withManifest(files, { ...manifest, files: manifest.files.filter(({ path }) => path !== "tags.csv") })),
      /^archive_broken: manifest\.json does not name tags\.csv/,
    ],
    ["a missing file", zipOf(without("tags.csv")), /^archive_broken: tags\.csv is missing in it/],
    ["a missing picture", zipOf(without(medium)), /^archive_broken: media\/.* is missing in it/],
    [
      "a file too many",
      zipOf(new Map(files).set("evil.sh", Buffer.from("rm"))),
      /^archive_broken: evil\.sh is in it, and manifest\.json does not name it/,
    ],
    [
      "another length",
      zipOf(new Map(files).set("tags.csv", Buffer.from("id"))),
      /^archive_broken: tags\.csv has 2 bytes, and manifest\.json says \d+/,
    ],
    [
      "another content of the same length",
      zipOf(new Map(files).set("tags.csv", Buffer.from(String(files.get("tags.csv")).replace("VIP", "PIV")))),
      /^archive_changed: tags\.csv is not as it was exported/,
    ],
    [
      "another number of rows",
      zipOf(
        withManifest(files, {
          ...manifest,
          files: manifest.files.map((file) => (file.path === "tags.csv" ? { ...file, rows: 9 } : file)),
        }),
      ),
      /^archive_broken: tags\.csv has 3 rows, and manifest\.json says 9/,
    ],
    [
      "a column that is missing",
      zipOf(changed(files, "tags.csv", (text) => text.replace("color", "colour"))),
      /^archive_broken: tags\.csv, row 1: there is no column color/,
    ],
    [
      "a wrong time",
      zipOf(changed(files, "tags.csv", (text) => text.replace(/2026-03-01T/, "2026-13-01T"))),
      /^archive_broken: tags\.csv, row 2: created_at must be a time such as/,
    ],
    [
      "a wrong id",
      zipOf(changed(files, "lead_tags.csv", (text) => text.replace(/[0-9a-f]{8}-/, "x-"))),
      /^archive_broken: lead_tags\.csv, row 2: lead_id must be an id such as/,
    ],
    [
      "a wrong kind",
      zipOf(changed(files, "ledger.csv", (text) => text.replace(",followup,", ",fax,"))),
      /^archive_broken: ledger\.csv, row 2: kind must be one of reply, manual/,
    ],
    [
      "a colour that is none",
      zipOf(changed(files, "stages.csv", (text) => text.replace("#1f8a4c", "#zzzzzz"))),
      /^archive_broken: stages\.csv, row 2: color: Must be a colour/,
    ],
    [
      "a text in a field of numbers",
      zipOf(changed(files, "lead_fields.csv", (text) => text.replace(",,-12.05", ",dear,"))),
      /^archive_broken: lead_fields\.csv, row 2: a field of type number holds a number_value alone/,
    ],
    [
      "JSON that is none",
      zipOf(changed(files, "views.csv", (text) => text.replace('"[""name""', '"[""name'))),
      /^archive_broken: views\.csv, row 2/,
    ],
    [
      "a quotation mark without end",
      zipOf(changed(files, "snippets.csv", (text) => `${text}"`)),
      /^archive_broken: snippets\.csv, row \d: it cannot be read as CSV/,
    ],
    [
      "bytes that are no UTF-8",
      zipOf(changed(files, "tags.csv", (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xc3])]))),
      /^archive_broken: tags\.csv holds bytes that are no UTF-8/,
    ],
    [
      "settings that cannot be",
      zipOf(changed(files, "settings.json", (text) => text.replace("Europe/Berlin", "Mars/Olympus"))),
      /^archive_broken: settings\.json: time_zone: /,
    ],
    [
      "a setting that is none",
      zipOf(changed(files, "settings.json", () => '{"is_admin": true}')),
      /^archive_broken: settings\.json: is_admin/,
    ],
    [
      "a program in place of a picture",
      zipOf(changed(files, medium, () => "#!/bin/sh\n")),
      /^archive_broken: media\/.* is neither a picture nor a video/,
    ],
    [
      "a picture in place of another",
      zipOf(changed(files, "media.csv", (text) => text.replace(/[0-9a-f]{64}/, "0".repeat(64)))),
      /^archive_broken: media\/.* is another file than media\.csv says/,
    ],
    [
      "a bomb",
      zipOf(changed(files, "tags.csv", () => Buffer.alloc(20_000_000, 0x20))),
      /^archive_broken: tags\.csv would be more than 300 times as large unpacked/,
    ],
    ["a way up", renamed("tags.csv", "../x.csv"), /^archive_broken: A file in it names a place outside/],
    ["a way from the root", renamed("tags.csv", "/etc.csv"), /^archive_broken: A file in it names a place outside/],
    ["a way by backslashes", renamed("tags.csv", "..\\x.csv"), /^archive_broken: A file in it names a place outside/],
    [
      "two files of one name",
      renamed("lead_tags.csv", "followups.csv"),
      /^archive_broken: followups\.csv stands in it twice/,
    ],
    ["an encrypted file", withFlag(1), /^archive_broken: The zip file is encrypted/],
    ["another compression", withMethod(12), /^archive_broken: The zip file is compressed in a way that cannot be read/],
  ];
  for (const [name, content, words] of cases) {
    const told = await verdict(await content);
    expect([name, words.test(told) ? "told" : told]).toEqual([name, "told"]);
  }
});

test("what would be larger unpacked than any account is refused before it is unpacked", async () => {
  const told = await onDisk(whole, (file) => openArchive(file, 10).then(String, (error: Error) => error.message));
  expect(told).toBe("Unpacked it would be larger than any account.");
});
