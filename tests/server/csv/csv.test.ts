import { parse } from "csv-parse/sync";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { unescapeCell, escapeCell, type ImportResult } from "../../../domain/csv.ts";
import type { Answer } from "../../support/requests.ts";
import { sharedServer, type TestUser } from "../../support/server.ts";
import { formWith } from "../../support/form.ts";
import { addRow } from "../../support/rows.ts";

const server = await sharedServer();
let user: TestUser;
let fields: Record<string, string>;
let person = 7_000_000;

const post = async (path: string, body: unknown): Promise<string> =>
  (await user.call<{ id: string }>("POST", path, body)).body.id;
const fieldId = (name: string) => fields[name] ?? "";
const ownColumns = () => Object.fromEntries(Object.entries(fields).map(([name, id]) => [name, `field.${id}`]));

beforeEach(async () => {
  user = await server.subscriber();
  fields = {};
  for (const field of [
    { name: "Deal", type: "number", is_value: true },
    { name: "City", type: "text" },
    { name: "Due", type: "date" },
    { name: "Size", type: "choice", options: ["S", "M"] },
    { name: "Page", type: "link" },
  ])
    fields[field.name] = await post("/fields", field);
});

type Known = { name?: string; username?: string; notes?: string; tags?: string[]; values?: Record<string, unknown> };
async function addLead({ tags = [], values, ...known }: Known): Promise<{ id: string; person: string }> {
  person += 1;
  const { id } = await addRow(server.deps.db, "leads", {
    owner_id: user.userId,
    telegram_user_id: person,
    ...known,
    created_at: new Date(Date.UTC(2026, 0, 1) + person * 1000).toISOString(),
    stage_entered_at: "2026-01-01T00:00:00Z",
    last_message_at: "2026-02-01T10:00:00Z",
  });
  if (tags.length > 0) await user.call("PUT", `/leads/${id}/tags`, { tag_ids: tags });
  if (values !== undefined) await user.call("PATCH", `/leads/${id}/fields`, values);
  return { id, person: String(person) };
}

const exported = async (query = ""): Promise<{ text: string; rows: string[][] }> => {
  const response = await fetch(`${server.url}/api/leads/export${query}`, {
    headers: { authorization: `Bearer ${user.token}` },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  const text = Buffer.from(await response.arrayBuffer()).toString();
  return { text, rows: parse(text, { bom: true }) };
};
const imported = (
  file: string | Uint8Array,
  mapping: unknown,
  isDryRun = false,
): Promise<Answer<ImportResult & { message: string; fields: Record<string, string> }>> => {
  const text = typeof mapping === "string" ? mapping : JSON.stringify(mapping);
  const body = formWith({ mapping: text, dry_run: String(isDryRun) });
  body.set("file", new Blob([typeof file === "string" ? file : new Uint8Array(file)]), "leads.csv");
  return user.call("POST", "/leads/import", body);
};
/** Everything that an import may change. */
const stored = async (): Promise<unknown[]> => {
  const { rows } =
    await sql`select l.id, l.notes, array(select g.name from lead_tags t join tags g on g.id = t.tag_id where t.lead_id = l.id order by 1) as tags,
      (select jsonb_object_agg(field_id, coalesce(to_jsonb(text_value), to_jsonb(number_value))) from lead_fields v where v.lead_id = l.id) as values,
      (select count(*)::int from lead_events e where e.lead_id = l.id) as entries
    from leads l where owner_id = ${user.userId}::uuid order by telegram_user_id`.execute(server.deps.db);
  return rows;
};
/** A row that matches no lead, as the response reports it. */
const problemOfRow = (row: number, words_code: string, words_params: object, words: string) => ({
  row,
  words,
  words_code,
  words_params,
});
const staged = async () =>
  (await sql`select from lead_import_rows where owner_id = ${user.userId}::uuid`.execute(server.deps.db)).rows.length;

test("guards exported cells against formulas, and removes the guards on import", () => {
  const texts = ["=1+1", "+1", "-2", "@a", "\tx", "\rx", "\nx", "'=1", "''=1", "'plain", "plain", "", "1-2", "\uFF1D1"];
  for (const text of texts) {
    expect([text, unescapeCell(escapeCell(text))]).toEqual([text, text]);
    expect([text, /^[=+\-@\t\r\n\uFF1D]/.test(escapeCell(text))]).toEqual([text, false]);
  }
});

test("imports an export cell by cell, also with other separators and line ends", async () => {
  const notes = 'He said "hi";\nthen, later,\tbye';
  const hot = await post("/tags", { name: "Hot; very" });
  const old = await post("/tags", { name: "Old" });
  const ann = await addLead({
    name: '=HYPERLINK("http://evil")',
    username: "ann_lee",
    notes,
    tags: [hot, old],
    values: { [fieldId("Deal")]: -1250.5, [fieldId("City")]: "+Київ", [fieldId("Due")]: "2026-03-05" },
  });
  const bob = await addLead({ name: "علی 李", notes: "'=quoted\nin two lines" });
  const { text, rows } = await exported();
  const header =
    "id,telegram_user_id,name,username,stage,notes,tags,created_at,last_message_at,City,Deal,Due,Page,Size";
  expect(text.startsWith(`\uFEFF${header}\r\n`)).toBe(true);
  const at = "2026-02-01T10:00:00Z";
  const own = [expect.any(String), at, "'+Київ", "-1250.5", "2026-03-05", "", ""];
  expect(rows.slice(1)).toEqual([
    [bob.id, bob.person, "علی 李", "", "", "''=quoted\nin two lines", "", expect.any(String), at, "", "", "", "", ""],
    [ann.id, ann.person, `'=HYPERLINK("http://evil")`, "ann_lee", "", notes, "Hot; very;Old", ...own],
  ]);
  expect((await exported("?name=hyper")).rows.map(([id]) => id)).toEqual(["id", ann.id]);
  expect((await exported("?sort=name")).rows.map(([id]) => id)).toEqual(["id", ann.id, bob.id]);
  expect((await user.call("GET", "/leads/export?colour=red")).status).toBe(422);

  const mapping = { telegram_user_id: "telegram_user_id", notes: "notes", tags: "tags", ...ownColumns() };
  const before = await stored();
  const unchanged = await imported(text, mapping);
  expect(unchanged).toMatchObject({ status: 200, body: { matched: 2, changed: 0, unmatched: [], changes: [] } });
  expect(await stored()).toEqual(before);
  const written = (delimiter: string, lineEnd: string) =>
    rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)).join(lineEnd);
  for (const form of [text, text.slice(1).replaceAll("\r\n", "\n"), written(";", "\r\n"), written("\t", "\n")]) {
    const { db } = server.deps;
    await sql`update leads set notes = null where owner_id = ${user.userId}::uuid`.execute(db);
    await sql`delete from lead_tags where owner_id = ${user.userId}::uuid`.execute(db);
    await sql`delete from lead_fields where owner_id = ${user.userId}::uuid`.execute(db);
    const { status, body } = await imported(form, mapping);
    expect([status, body.matched, body.changed, body.unmatched]).toEqual([200, 2, 2, []]);
    expect((await exported()).rows).toEqual(rows);
  }
  expect(await staged()).toBe(0);
});

test("reports exactly what a dry run would change, and each unknown row", async () => {
  const ann = await addLead({ name: "Ann", username: "Ann_Lee", notes: "old", values: { [fieldId("Deal")]: 5 } });
  const bob = await addLead({ name: "Bob", username: "bob" });
  await addLead({ name: "Twin 1", username: "twin" });
  await addLead({ name: "Twin 2", username: "twin" });
  await addLead({ name: "Cy", username: "cy", notes: "stays" });
  const stranger = String(person + 1_000);
  const file = [
    "Who,Number,Comment,Labels,Worth",
    "@ann_lee,,new,New; Hot,7.5",
    "https://t.me/BOB,,,hot,",
    "twin,,x,,",
    "nobody,,x,,",
    "",
    `ANN_LEE,,again,,`,
    `,${stranger},x,,`,
    ",,x,,",
    `bob,${ann.person},x,,`,
    "cy,,stays,,",
  ].join("\n");
  const worth = `field.${fieldId("Deal")}`;
  const mapping = { Who: "username", Number: "telegram_user_id", Comment: "notes", Labels: "tags", Worth: worth };
  const before = await stored();
  const dry = await imported(file, mapping, true);
  const annRef = { id: ann.id, name: "Ann" };
  const expected = {
    matched: 3,
    changed: 2,
    unmatched_total: 6,
    unmatched: [
      problemOfRow(
        4,
        "username_of_several",
        { username: "twin" },
        "Several leads have the username @twin. Name this one by its Telegram number.",
      ),
      problemOfRow(5, "username_unknown", { username: "nobody" }, "No lead has the username @nobody."),
      problemOfRow(7, "row_repeats", { row: 2 }, "Same person as in row 2. Only that row counts."),
      problemOfRow(8, "number_unknown", { number: stranger }, `No lead has the Telegram number ${stranger}.`),
      problemOfRow(9, "row_names_nobody", {}, "The row does not name a person."),
      problemOfRow(10, "row_repeats", { row: 2 }, "Same person as in row 2. Only that row counts."),
    ],
    changes: [
      { row: 2, lead: annRef, target: worth, before: 5, after: 7.5 },
      { row: 2, lead: annRef, target: "notes", before: "old", after: "new" },
      { row: 2, lead: annRef, target: "tags", before: [], after: ["New", "Hot"] },
      { row: 3, lead: { id: bob.id, name: "Bob" }, target: "tags", before: [], after: ["hot"] },
    ],
  };
  expect([dry.status, dry.body]).toEqual([200, expected]);
  expect(await stored()).toEqual(before);
  expect((await user.call("GET", "/tags")).body).toEqual([]);
  expect(await imported(file, mapping)).toMatchObject({ status: 200, body: expected });
  const tagged = [{ name: expect.stringMatching(/^hot$/i) }, { name: "New" }];
  const known = { notes: "new", tags: tagged, fields: { [fieldId("Deal")]: 7.5 } };
  expect((await user.call("GET", `/leads/${ann.id}`)).body).toMatchObject(known);
  const story = await user.call<{ items: { type: string }[] }>("GET", `/leads/${ann.id}/story`);
  const types = story.body.items.map(({ type }) => type);
  expect(types.toSorted()).toEqual(["fields_changed", "fields_changed", "note_changed", "tags_changed"]);
  expect((await imported(file, mapping)).body.changed).toBe(0);
});

test("reads a cell with thousands of tags, and refuses a longer one", async () => {
  await addLead({ username: "ann" });
  await post("/tags", { name: "a;b" });
  const importTags = (cell: string) => imported(`Who,Labels\nann,${cell}`, { Who: "username", Labels: "tags" });
  expect((await importTags("A;b;c;".repeat(1_000))).body.changes).toMatchObject([{ after: ["A;b", "c"] }]);
  const refused = await importTags("a;b;c;".repeat(1_100));
  expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining("Labels: May have 6,100")]);
});

test("refuses an invalid file or mapping with row and reason, changing nothing", async () => {
  const ann = await addLead({ name: "Ann", username: "ann" });
  const before = await stored();
  const base = { Who: "username", Comment: "notes" };
  const full = { ...base, ...ownColumns() };
  const byNumber = { Number: "telegram_user_id", Comment: "notes" };
  const columns = "Who,Comment,Deal,City,Due,Size,Page";
  const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const bad: [file: string | Uint8Array, row: number, words: RegExp, mapping?: unknown][] = [
    ["", 1, /empty/],
    ["\n\nWho,Comment\nann,x", 1, /must contain the column names/],
    ['Who,Comment\nann,x\nann,"never closed\nann,y', 3, /never closed/],
    ['Who,Comment\nann,a "word" here', 2, /middle of a cell/],
    ['Who,Comment\nann,"closed" too early', 2, /after a closing quotation mark/],
    ["Who,Comment\nann,x\nann", 3, /1 cell, but the header has 2/],
    ["Who,Comment\nann,x,y", 2, /3 cells, but the header has 2/],
    ['Who,Comment\nann,"two\nlines"\nann,x,y', 3, /3 cells/],
    [bytes("Who,Comment\nann,fine\nann,caf", [0xe9], "\n"), 3, /not valid UTF-8/],
    [bytes([0xff, 0xfe], "W\0h\0o\0"), 1, /UTF-16/],
    ["W\0h\0o\0,\0", 1, /UTF-16/],
    [bytes([0x50, 0x4b, 0x03, 0x04], "rest"), 1, /a spreadsheet, not a CSV file/],
    [bytes([0x89, 0x50, 0x4e, 0x47], "rest"), 1, /not a CSV file/],
    ["Who,Comment\nann,a\0b", 2, /null byte/],
    ["Who,Remark\nann,x", 1, /no column "Comment"/],
    ["Who,Comment,Comment\nann,x,y", 1, /"Comment" appears twice/],
    [`Who,Comment\nann,${"x".repeat(10_001)}`, 2, /Comment: May have 10,000/],
    ["Who,Comment\nann lee,x", 2, /Who: Must be a username/],
    ["Number,Comment\n12a,x", 2, /Number: Must be a Telegram user's number/, byNumber],
    [`${columns}\nann,x,1,a,2026-01-01,S,https://a.b\nann,y,much,,,,`, 3, /Deal: Must be a number/, full],
    [`${columns}\nann,x,,,05.03.2026,,`, 2, /Due: Must be a day/, full],
    [`${columns}\nann,x,,,,XL,`, 2, /Size: Must be one of S, M/, full],
    [`${columns}\nann,x,,,,,javascript:alert(1)`, 2, /Page: Must be a link/, full],
    ["Who,Comment,City\nann,x,y", 1, /field that no longer exists/, { ...base, City: `field.${ann.id}` }],
  ];
  for (const [file, row, words, mapping = base] of bad) {
    for (const isDryRun of [true, false]) {
      const { status, body } = await imported(file, mapping, isDryRun);
      const refusal = [status, body.message, Object.keys(body.fields)];
      expect(refusal).toEqual([422, expect.stringMatching(words), [`row ${row}`]]);
      expect(body.message.startsWith(`Row ${row}: `)).toBe(true);
    }
  }
  const twice = { Who: "username", Comment: "username" };
  for (const mapping of ["{", "[]", {}, { Who: "name" }, { Comment: "notes" }, twice])
    expect((await imported("Who,Comment\nann,x", mapping)).status).toBe(422);
  const empty = formWith({ mapping: JSON.stringify(base) });
  expect((await user.call("POST", "/leads/import", empty)).status).toBe(422);
  empty.set("is_admin", "true");
  const unknown = await user.call("POST", "/leads/import", empty);
  expect(unknown).toMatchObject({ status: 422, body: { fields: { is_admin: expect.any(String) } } });
  expect(await stored()).toEqual(before);

  // The last row exceeds the limit, so no row is applied.
  await addLead({ username: "bob" });
  const labels = (of: string, many: number) => Array.from({ length: many }, (_, n) => `${of}${n}`).join(";");
  const file = `Who,Comment,Labels\nann,x,${labels("a", 60)}\nbob,y,${labels("b", 60)}`;
  expect((await imported(file, { ...base, Labels: "tags" })).status).toBe(409);
  expect((await stored())[0]).toEqual(before[0]);
  expect(await staged()).toBe(0);
});
