import { expect, test } from "vitest";
import { foldSettled } from "../../../server/outbox/fold.ts";
import { sharedServer } from "../../support/server.ts";
import { formWith } from "../../support/form.ts";
import { RESET } from "../../support/leads.ts";

type By = { kind: string; name: string | null };
type Story = { items: { type: string; by: By; kind?: string; to?: string; reason?: string }[] };
type Ledger = { items: { kind: string; state: string; by: By }[] };

const server = await sharedServer();
const ann = await server.subscriber();
const KEY: By = { kind: "key", name: "Sheet" };

const must = <T>(method: string, path: string, body?: unknown, token = ann.token) =>
  server.must<T>(method, path, { token, body });
const { phone } = await server.connect(ann);
await must("GET", "/api/stages");
for (const name of ["Warm", "Hot"]) await must("POST", "/api/stages", { name, keywords: [name] });
const stages = (await must<{ id: string }[]>("GET", "/api/stages")).map(({ id }) => id);
await server.receive(phone, { first_name: "Lena" }, "hello");
const { leads } = await must<{ leads: { id: string }[] }>("GET", "/api/leads?limit=10&offset=0");
const lead = leads[0]?.id ?? "";
const story = async () => (await must<Story>("GET", `/api/leads/${lead}/story?limit=100`)).items;
const ledger = async () => (await must<Ledger>("GET", "/api/ledger?limit=100")).items;

/** Does everything that can be done to a lead, with one token. */
async function actAs(token: string): Promise<void> {
  const by = <T>(method: string, path: string, body?: unknown) => must<T>(method, path, body, token);
  const mark = token.slice(-6);
  await by("PATCH", `/api/leads/${lead}`, { stage_id: stages[1], ...RESET });
  await by("PATCH", `/api/leads/${lead}`, { notes: `by ${mark}` });
  const tag = await by<{ id: string }>("POST", "/api/tags", { name: mark, color: "#123456" });
  await by("PUT", `/api/leads/${lead}/tags`, { tag_ids: [tag.id] });
  const choice = { name: mark, type: "choice", options: ["one", "two"] };
  const field = await by<{ id: string }>("POST", "/api/fields", choice);
  await by("PATCH", `/api/leads/${lead}/fields`, { [field.id]: "one" });
  await by("PATCH", `/api/fields/${field.id}`, { options: ["two"], move_to: "two" });
  for (const message of ["first", "second", "third"])
    await by("POST", "/api/followups", { stage_id: stages[1] ?? "", message, followup_order: "9", delay_hours: "1" });
  await by("POST", `/api/leads/${lead}/automation`, { action: "skip" });
  await by("POST", `/api/leads/${lead}/automation`, { action: "hold" });
  await by("POST", `/api/leads/${lead}/automation`, { action: "resume" });
  await by("POST", `/api/followups/send/${lead}`);
  await by("POST", `/api/leads/${lead}/messages`, { text: `reply ${mark}` });
  await by("POST", "/api/bulk", { message: `bulk ${mark}`, throttle: "0.1", stage_id: "" });
  const { telegram_user_id } = await by<{ telegram_user_id: string }>("GET", `/api/leads/${lead}`);
  const csv = `telegram_user_id,Notes\n${telegram_user_id},by ${mark} again\n`;
  const mapping = JSON.stringify({ telegram_user_id: "telegram_user_id", Notes: "notes" });
  const upload = formWith({ mapping, dry_run: "false" });
  upload.set("file", new File([csv], "leads.csv", { type: "text/csv" }));
  await by("POST", "/api/leads/import", upload);
  const batch = (action: object) => by("POST", "/api/leads/batch", { where: { ids: [lead] }, action });
  await batch({ type: "move", stage_id: stages[2] });
  await batch({ type: "untag", tag_ids: [tag.id] });
  await batch({ type: "hold" });
  await batch({ type: "resume" });
  await by("DELETE", `/api/stages/${stages[2]}`);
  await server.passUntil(
    async () => (await ledger()).filter(({ state }) => state !== "sent"),
    (open) => open.length === 0,
  );
}

/** The entries that these actions leave in a lead's story, oldest first. */
const EXPECTED = (
  "stage_moved manual, note_changed, tags_changed, fields_changed, fields_changed, skipped, held, resumed, " +
  "note_changed, stage_moved manual, tags_changed, held, resumed, stage_moved stage_deleted"
).split(", ");

test("names the API key in history and ledger, also after it was revoked", async () => {
  const { id, secret } = await must<{ id: string; secret: string }>("POST", "/api/keys", {
    name: "Sheet",
    scopes: ["read", "write", "send"],
  });
  await actAs(secret);
  await must("DELETE", `/api/keys/${id}`);
  const events = (await story()).toReversed().filter(({ type }) => type !== "entered");
  const named = ({ type, reason }: Story["items"][number]) => (type === "stage_moved" ? `${type} ${reason}` : type);
  expect(events.filter(({ type }) => type !== "sent").map(named)).toEqual(EXPECTED);
  expect(events.map(({ by }) => by)).toEqual(events.map(() => KEY));
  const sent = ["bulk", "manual", "reply"].map((kind) => ({ kind, state: "sent", by: KEY }));
  const shown = async () =>
    (await ledger())
      .map(({ kind, state, by }) => ({ kind, state, by }))
      .toSorted((a, b) => a.kind.localeCompare(b.kind));
  expect(await shown()).toEqual(sent);
  const kinds = events.filter(({ type }) => type === "sent").map(({ kind }) => kind);
  expect([kinds.length, new Set(kinds)]).toEqual([3, new Set(["bulk", "manual", "reply"])]);
  await server.advance(60);
  expect(await foldSettled(server.deps, 0)).toBeGreaterThanOrEqual(3);
  expect(await shown()).toEqual(sent);
  expect((await story()).filter(({ type }) => type === "sent").map(({ by }) => by)).toEqual([KEY, KEY, KEY]);
});
