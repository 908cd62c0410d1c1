import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sql } from "kysely";
import type { AccountImport } from "../../../domain/archive.ts";
import type { WebhookEvent } from "../../../domain/webhook.ts";
import { endSilentImports, markStopped, removeStopped } from "../../../server/archive/run.ts";
import { requireEmptyAccount } from "../../../server/archive/imports.ts";
import {
  withChanged,
  manifestOf,
  contentWithoutIds,
  rowsIn,
  unzip,
  zipOf,
  type Files,
} from "../../support/archives.ts";
import { PNG } from "../../support/files.ts";
import { fillRichly, HARD_TEXTS } from "../../support/rich-account.ts";
import { sharedServer, type TestUser } from "../../support/server.ts";
import { addRow, rowsOf } from "../../support/rows.ts";

const SELF = 7_000_000;
const ABSENT = "A row refers to something that is not in the archive";
const server = await sharedServer();
const { db, clock } = server.deps;

const download = async ({ token }: TestUser): Promise<Files> => {
  const response = await fetch(`${server.url}/api/account/export?format=zip`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="leadloom-export-[\d-]+\.zip"$/);
  return unzip(new Uint8Array(await response.arrayBuffer()));
};
const upload = ({ call }: TestUser, content: Uint8Array<ArrayBuffer>, field = "file") => {
  const body = new FormData();
  body.set(field, new Blob([content]), "export.zip");
  return call<AccountImport & { code: string; message: string }>("POST", "/account/import", body);
};
const get = <T>(address: string, { token }: TestUser) => server.must<T>("GET", address, { token });
const zipped = async (of: Files) => new Uint8Array(await zipOf(of));
const ended = async (user: TestUser) => {
  await server.idle();
  return get<AccountImport>("/api/account/import", user);
};
const COUNTED = ["leads", "messages", "stages", "tags", "followups", "ledger", "media"] as const;
const countsOf = async (owner_id: string): Promise<Record<string, number>> => {
  const counts = COUNTED.map(async (table) => [table, (await rowsOf(db, table, { owner_id })).length]);
  return Object.fromEntries(await Promise.all(counts));
};
const column = (of: Files, file: string, name: string) => rowsIn(of, file).map((row) => row[name]);

const ann = await server.subscriber();
await fillRichly(db, ann.userId, SELF);
const files = await download(ann);

test("counts the rows and lists the checksum of each file in the manifest", () => {
  const manifest = manifestOf(files);
  expect(manifest).toMatchObject({ format: "leadloom-archive", version: 1 });
  expect(manifest.files.map(({ path }) => path).toSorted()).toEqual(
    [...files.keys()].filter((name) => name !== "manifest.json").toSorted(),
  );
  for (const { path, bytes, sha256, rows } of manifest.files) {
    const content = files.get(path) ?? Buffer.alloc(0);
    expect([path, bytes, sha256]).toEqual([path, content.length, createHash("sha256").update(content).digest("hex")]);
    expect([path, rows]).toEqual([path, path.endsWith(".csv") ? rowsIn(files, path).length : undefined]);
  }
  expect(rowsIn(files, "leads.csv").length).toBe(HARD_TEXTS.length);
  const [medium] = [...files].filter(([name]) => name.startsWith("media/"));
  expect(medium?.[1].equals(PNG)).toBe(true);
});

test("writes no cell that a spreadsheet reads as a formula, and keeps numbers", () => {
  const cells = [...files.keys()]
    .filter((name) => name.endsWith(".csv"))
    .flatMap((name) => rowsIn(files, name).flatMap((row) => Object.values(row)));
  expect(cells.filter((cell) => /^[=+@\t\r＝]/.test(cell) || /^-(?!\d+(?:\.\d+)?$)/.test(cell))).toEqual([]);
  expect(column(files, "lead_fields.csv", "number_value")).toContain("-12.05");
});

test("exports attempted messages in the ledger, with the API key that caused them", () => {
  const ledger = rowsIn(files, "ledger.csv").map(({ kind, state, excerpt, by_key }) => [kind, state, excerpt, by_key]);
  expect(ledger).toEqual([
    ["followup", "sent", "Step 0", ""],
    ["bulk", "failed", "News", "'=n8n"],
    ["reply", "unknown", "On its way", ""],
    ["reminder", "sent", "'=waits", ""],
  ]);
  expect(column(files, "stage_history.csv", "by_key").filter((key) => key !== "")).toEqual(["'=n8n"]);
  expect(column(files, "exclusions.csv", "by_key")).toEqual(["'=n8n"]);
});

test("restores the same data with new ids in another account, and sends nothing", async () => {
  const bob = await server.subscriber();
  const before = await get<{ id: string }[]>("/api/stages", bob);
  const webhook = { owner_id: bob.userId, url: "https://example.com/", created_at: clock.iso() };
  const events: WebhookEvent[] = ["lead.created", "message.received", "message.sent", "followup.sent"];
  await addRow(db, "webhooks", { ...webhook, events, key_version: 1, sealed: Buffer.from("secret") });
  const answer = await upload(bob, await zipped(files));
  expect([answer.status, answer.body.status]).toEqual([202, "in_progress"]);
  const job = await ended(bob);
  expect(job).toMatchObject({ status: "completed", reason: null, done: job.total });
  expect(job.brought).toMatchObject({ leads: HARD_TEXTS.length, stages: 3, followups: 4, media: 1 });

  const again = await download(bob);
  const [was, got] = [contentWithoutIds(files), contentWithoutIds(again)];
  const { "reminders.csv": _reminders, "messages.csv": _messages, "media.csv": _media, ...same } = was;
  expect(got).toMatchObject(same);
  // Messages that were not sent are imported as cancelled or unknown; files get a new date.
  const settle = (row: string) =>
    row.replace('"pending","reason":""', '"failed","reason":"CANCELLED"').replace('"sending"', '"unknown"');
  expect(got["messages.csv"]).toEqual(was["messages.csv"]?.map(settle).toSorted());
  for (const name of ["sha256", "size"])
    expect(column(again, "media.csv", name)).toEqual(column(files, "media.csv", name));

  // The import must not reuse ids of the other owner in the same installation.
  const ids = (of: Files) =>
    [...of.values()].flatMap((text) => String(text).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []);
  const mine = new Set(ids(files));
  expect(ids(again).filter((id) => mine.has(id))).toEqual([]);
  expect(before.length).toBeLessThanOrEqual(1);

  expect(column(again, "reminders.csv", "is_enabled")).toEqual(["false"]);
  const hours = { auto_followup_start_hour: 8, auto_followup_end_hour: 20 };
  expect(await get("/api/user_settings", bob)).toEqual({ ...hours, auto_followups_enabled: false });
  const settings = { time_zone: "Europe/Berlin", weekdays: [1, 2, 3, 4, 5], opt_out_words: ["стоп"] };
  expect(await get("/api/settings", bob)).toMatchObject(settings);
  for (const table of ["outbox", "webhook_events"] as const)
    expect(await rowsOf(db, table, { owner_id: bob.userId })).toEqual([]);
});

test("refuses an import into a used or connected account, and says why", async () => {
  const content = await zipped(files);
  const own = await upload(ann, content);
  const words = /^This account is not empty: it has 15 leads, 18 messages, 4 follow-ups, 4 tags, .*3 stages\./;
  const body = { code: "account_not_empty", message: expect.stringMatching(words) };
  expect(own).toMatchObject({ status: 409, body });
  const dan = await server.subscriber();
  await server.connect(dan);
  const connected = await upload(dan, content);
  expect([connected.status, connected.body.code]).toEqual([409, "telegram_connected"]);
  const eve = await server.signUp();
  expect((await upload(eve, content)).status).toBe(402);
});

test("imports nothing from an inconsistent archive, and names the file", async () => {
  const fay = await server.subscriber();
  const before = await countsOf(fay.userId);
  const cases: [string, (text: string) => string, string][] = [
    ["leads.csv", (text) => text.replace(String(SELF + 2), String(SELF + 1)), "Two rows describe the same thing"],
    ["lead_tags.csv", (text) => text.replaceAll(/[0-9a-f]{8}-/g, "00000000-"), ABSENT],
    ["stage_history.csv", (text) => text.replace(/^[0-9a-f]{8}-/m, "00000000-"), ABSENT],
    ["followups.csv", (text) => text.replace(",24,", ",999,"), "A row contains an invalid value"],
  ];
  for (const [file, change, words] of cases) {
    expect((await upload(fay, await zipped(withChanged(files, file, change)))).status).toBe(202);
    const reason = expect.stringMatching(`^${file}: ${words}`);
    expect(await ended(fay)).toMatchObject({ status: "failed", brought: null, reason });
    expect({ ...(await countsOf(fay.userId)), stages: 0 }).toEqual({ ...before, stages: 0 });
  }
  expect((await upload(fay, await zipped(files))).status).toBe(202);
  expect((await ended(fay)).status).toBe("completed");
});

test("blocks changes during an import, and removes one whose server stopped", async () => {
  const gil = await server.subscriber();
  await fillRichly(db, gil.userId, SELF + 1_000_000);
  const started = { owner_id: gil.userId, total: 100, done: 40, created_at: clock.iso() };
  await addRow(db, "account_imports", started);
  const addTag = () => gil.call<{ code: string }>("POST", "/tags", { name: "New" });
  const refused = await addTag();
  expect([refused.status, refused.body.code]).toEqual([409, "account_importing"]);
  for (const method of ["GET", "HEAD"])
    expect([method, (await gil.call(method, "/tags")).status]).toEqual([method, 200]);
  const second = await upload(gil, await zipped(files));
  expect([second.status, second.body.code]).toEqual([409, "account_importing"]);

  await sql`insert into outbox (owner_id, kind, priority, lead_id, dedupe_key, random_id, body, not_before, created_at)
    select owner_id, 'followup', 1, id, 'planned meanwhile', 1, 'Hello', now(), now() from leads where owner_id = ${gil.userId}::uuid limit 1`.execute(
    db,
  );
  await endSilentImports(server.deps, 3_600);
  const stopped = (await markStopped(server.deps, gil.userId)) as { id: string; ownerId: string };
  await removeStopped(server.deps, stopped, () => true);
  expect((await get<AccountImport>("/api/account/import", gil)).status).toBe("in_progress");
  await endSilentImports(server.deps, 0);
  const reason = "The server stopped during the import. Nothing was imported; start the import again.";
  expect(await get("/api/account/import", gil)).toMatchObject({ status: "failed", reason });
  const nothing = Object.fromEntries(COUNTED.map((table) => [table, 0]));
  expect(await countsOf(gil.userId)).toEqual({ ...nothing, stages: 1 });
  await requireEmptyAccount(db, gil.userId);
  expect((await addTag()).status).toBe(201);
  expect(await countsOf(ann.userId)).toMatchObject({ leads: HARD_TEXTS.length, stages: 3 });
});

test("removes everything of a cancelled import, and unblocks the account", async () => {
  const ivy = await server.subscriber();
  const stop = () => ivy.call<AccountImport>("DELETE", "/account/import");
  expect((await stop()).status).toBe(404);
  expect((await upload(ivy, await zipped(files))).status).toBe(202);
  expect(await stop()).toMatchObject({ status: 200, body: { status: "in_progress", is_removing: true } });
  const reason = "You cancelled the import. Nothing was imported.";
  expect(await ended(ivy)).toMatchObject({ status: "failed", reason, reason_code: "account_import_cancelled" });
  await requireEmptyAccount(db, ivy.userId);
  expect((await stop()).body.status).toBe("failed");
  expect((await upload(ivy, await zipped(files))).status).toBe(202);
  expect((await ended(ivy)).status).toBe("completed");
});

test("receives one upload of a user at a time", async () => {
  const kim = await server.subscriber();
  const headers = { authorization: `Bearer ${kim.token}`, "content-type": "multipart/form-data; boundary=x" };
  const uploads = Array.from({ length: 2 }, () => {
    const { readable: body, writable } = new TransformStream<Uint8Array>();
    const writer = writable.getWriter();
    // Resolves when the request reads it.
    void writer.write(new TextEncoder().encode("--x")).catch(() => {});
    const answer = fetch(`${server.url}/api/account/import`, { method: "POST", headers, body, duplex: "half" });
    return { answer, end: () => writer.close().catch(() => {}) };
  });
  const refused = await Promise.race(uploads.map(({ answer }) => answer));
  const message = "Other exports are being read. Try again in a few seconds.";
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: "too_many_requests", message }]);
  await Promise.all(uploads.map(({ end }) => end()));
  const statuses = (await Promise.all(uploads.map(({ answer }) => answer))).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([422, 429]);
  expect((await upload(kim, await zipped(files))).status).toBe(202);
  expect((await ended(kim)).status).toBe("completed");
});

test("refuses a form without a file, with another field, or with a file that is no zip", async () => {
  const hal = await server.subscriber();
  for (const body of [new FormData(), {}]) expect((await hal.call("POST", "/account/import", body)).status).toBe(422);
  expect((await upload(hal, await zipped(files), "archive")).body.message).toMatch(/^There is no field archive\./);
  const text = await upload(hal, new TextEncoder().encode("no zip"));
  expect([text.status, text.body.code]).toEqual([422, "archive_broken"]);
  expect((await hal.call("GET", "/account/import")).status).toBe(404);
});
