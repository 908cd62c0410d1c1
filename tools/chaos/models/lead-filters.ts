import { sql } from "kysely";
import { expect } from "vitest";
import { isAwaitingReply } from "../../../domain/lead.ts";
import { randomStream, seedLeads, type SeededLead } from "../../../tests/support/seed.ts";
import type { TestServer, TestUser } from "../../../tests/support/server.ts";
import { addRow, addRows } from "../../../tests/support/rows.ts";

const LEADS = 300;
const OPTIONS = ["hot", "warm", "cold"];

type Known = Omit<SeededLead, "name"> & {
  name: string | null;
  stage_entered_at: string;
  opted_out: boolean;
  unreachable: boolean;
  tags: Set<string>;
  text: string | null;
  number: number | null;
  day: string | null;
  option: string | null;
};

let server: TestServer;
let user: TestUser;
let leads: Known[];
let tags: string[];
let fields: Record<"text" | "number" | "date" | "choice", string>;
let strange: { tag: string; field: string };

/** Adds 300 leads with tags and values of every field to a new user. `list` reads that user's list. */
export async function openLeadFilters(on: TestServer) {
  server = on;
  user = await server.subscriber();
  const other = await server.subscriber();
  const { db } = server.deps;
  const now = new Date(server.deps.clock.now()).toISOString();
  const tagsOf = (ownerId: string, names: string[]) =>
    addRows(
      db,
      "tags",
      names.map((name) => ({ owner_id: ownerId, name, color: "#112233", created_at: now })),
    );
  const fieldOf = async (ownerId: string, type: "text" | "number" | "date" | "choice") =>
    (
      await addRow(db, "fields", {
        owner_id: ownerId,
        name: type,
        type,
        options: type === "choice" ? JSON.stringify(OPTIONS) : null,
        created_at: now,
      })
    ).id;
  const stages = await addRows(
    db,
    "stages",
    [2, 3, 4].map((order) => ({ owner_id: user.userId, name: `Stage ${order}`, order, keywords: ["x"] })),
  );
  tags = (await tagsOf(user.userId, ["red", "green", "blue"])).map(({ id }) => id);
  strange = { tag: (await tagsOf(other.userId, ["red"]))[0]?.id ?? "", field: await fieldOf(other.userId, "text") };
  fields = {
    text: await fieldOf(user.userId, "text"),
    number: await fieldOf(user.userId, "number"),
    date: await fieldOf(user.userId, "date"),
    choice: await fieldOf(user.userId, "choice"),
  };
  await seedLeads(db, other.userId, [], 40, 2);
  const seeded = await seedLeads(
    db,
    user.userId,
    stages.map(({ id }) => id),
    LEADS,
  );
  const random = randomStream(7);
  const some = <T>(chance: number, value: T) => (random() < chance ? value : null);
  leads = seeded.map((lead, index) => ({
    ...lead,
    name: some(0.9, lead.name),
    stage_entered_at: new Date(Date.parse(lead.created_at) + Math.floor(random() * 6) * 86_400_000).toISOString(),
    opted_out: random() < 0.4,
    unreachable: random() < 0.3,
    tags: new Set(tags.filter(() => random() < 0.4)),
    text: some(0.7, `City ${index % 9}`),
    number: some(0.7, Math.floor(random() * 40) / 2 - 5),
    day: some(0.7, `2026-03-${String(1 + Math.floor(random() * 28)).padStart(2, "0")}`),
    option: some(0.7, OPTIONS[index % 3] ?? ""),
  }));
  const states = leads.map((lead) => ({
    id: lead.id,
    name: lead.name,
    at: lead.stage_entered_at,
    opted_out_at: lead.opted_out ? now : null,
    reason: lead.unreachable ? "USER_IS_BLOCKED" : null,
  }));
  await sql`update leads l set name = s.name, stage_entered_at = s.at, opted_out_at = s.opted_out_at, unreachable_reason = s.reason
    from json_to_recordset(${JSON.stringify(states)}::json) s (id uuid, name text, at timestamptz, opted_out_at timestamptz, reason text)
    where l.id = s.id`.execute(db);
  const own = { owner_id: user.userId };
  await addRows(
    db,
    "lead_tags",
    leads.flatMap((lead) => [...lead.tags].map((id) => ({ ...own, tag_id: id, lead_id: lead.id }))),
  );
  const valuesOf = (lead: Known) =>
    [
      { field_id: fields.text, text_value: lead.text, number_value: null },
      { field_id: fields.number, text_value: null, number_value: lead.number },
      { field_id: fields.date, text_value: lead.day, number_value: null },
      { field_id: fields.choice, text_value: lead.option, number_value: null },
    ].filter((value) => value.text_value !== null || value.number_value !== null);
  await addRows(
    db,
    "lead_fields",
    leads.flatMap((lead) => valuesOf(lead).map((value) => ({ ...own, lead_id: lead.id, ...value }))),
  );
  return { leads, fields, strange, list, inOrder };
}

type Narrowing = { query: string; keeps: (lead: Known) => boolean };
const within = (value: string | number | null, from: string | number | null, to: string | number | null) =>
  value !== null && (from === null || value >= from) && (to === null || value <= to);

function narrowings(random: () => number): Narrowing[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const truth = random() < 0.5;
  const tag = pick(tags);
  const another = pick(tags);
  const stage = pick(leads).stage_id;
  const from = Math.floor(random() * 10) - 3;
  const day = pick(leads.filter((lead) => lead.day !== null)).day ?? "";
  const [first = "", last = ""] = ["2026-03-05", day].toSorted();
  const start = pick(leads).created_at;
  const option = pick(OPTIONS);
  const city = pick(["CITY 3", "ity", "7", "no such town"]);
  const name = pick(["ANN", "bob 100%", "Neil_J", "Иван", "李"]);
  const username = pick(["USER_4", "user_12"]);
  const order = pick([0, 1, 2, 9]);
  return [
    { query: `opted_out=${truth}`, keeps: (lead) => lead.opted_out === truth },
    { query: `unreachable=${truth}`, keeps: (lead) => lead.unreachable === truth },
    { query: `awaiting_reply=${truth}`, keeps: (lead) => isAwaitingReply(lead) === truth },
    { query: `tag=${tag}`, keeps: (lead) => lead.tags.has(tag) },
    { query: `tag=${tag}&tag=${another}`, keeps: (lead) => lead.tags.has(tag) && lead.tags.has(another) },
    { query: `stage_id=${stage}`, keeps: (lead) => lead.stage_id === stage },
    { query: `followup_order_sent=${order}`, keeps: (lead) => lead.followup_order_sent === order },
    { query: `created_start=${start}`, keeps: (lead) => lead.created_at >= start },
    { query: `created_end=${start}`, keeps: (lead) => lead.created_at <= start },
    { query: `name=${name}`, keeps: (lead) => lead.name?.toLowerCase().includes(name.toLowerCase()) === true },
    { query: `username=${username}`, keeps: (lead) => lead.username?.includes(username.toLowerCase()) === true },
    { query: `field.${fields.number}=${from}`, keeps: (lead) => lead.number === from },
    { query: `field.${fields.number}=${from}..`, keeps: (lead) => within(lead.number, from, null) },
    { query: `field.${fields.number}=..${from + 6}`, keeps: (lead) => within(lead.number, null, from + 6) },
    { query: `field.${fields.date}=${day}`, keeps: (lead) => lead.day === day },
    { query: `field.${fields.date}=${first}..${last}`, keeps: (lead) => within(lead.day, first, last) },
    { query: `field.${fields.choice}=${option}`, keeps: (lead) => lead.option === option },
    {
      query: `field.${fields.text}=${city}`,
      keeps: (lead) => lead.text?.toLowerCase().includes(city.toLowerCase()) === true,
    },
  ];
}

const own = (key: (lead: Known) => string | number | null) => key;
const ORDERS = () => ({
  created_at: own((lead) => lead.created_at),
  last_message_at: own((lead) => lead.last_message_at),
  name: own((lead) => lead.name?.toLowerCase() ?? null),
  stage_entered_at: own((lead) => lead.stage_entered_at),
  [`field.${fields.number}`]: own((lead) => lead.number),
  [`field.${fields.text}`]: own((lead) => lead.text?.toLowerCase() ?? null),
  [`field.${fields.date}`]: own((lead) => lead.day),
  [`field.${fields.choice}`]: own((lead) => lead.option),
  [`field.${strange.field}`]: own(() => null),
});

/** By code points, as the list orders texts. */
const compare = (a: string | number, b: string | number) =>
  typeof a === "number" && typeof b === "number"
    ? a - b
    : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));

function inOrder(known: readonly Known[], key: (lead: Known) => string | number | null, sign: 1 | -1): Known[] {
  return known.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)];
    const byKey = x === null || y === null ? Number(x === null) - Number(y === null) : sign * compare(x, y);
    return byKey || compare(b.created_at, a.created_at) || compare(b.id, a.id);
  });
}

type Page = { leads: { id: string }[]; total: number };
const list = (query: string) =>
  server.call<Page & { message: string; code: string }>("GET", `/api/leads?${query}`, { token: user.token });

/** Requests random filters, orders and pages, and compares the list with a model. @returns how many lists were read */
export async function runLeadFilters({ rounds, seed }: { rounds: number; seed: number }): Promise<number> {
  let read = 0;
  const random = randomStream(seed);
  for (let round = 0; round < rounds; round += 1) {
    const all = narrowings(random);
    const chosen = [
      ...new Set(
        Array.from({ length: Math.floor(random() * 4) }, () => all[Math.floor(random() * all.length)] as Narrowing),
      ),
    ];
    const params = new URLSearchParams();
    for (const { query } of chosen) for (const [key, value] of new URLSearchParams(query)) params.append(key, value);
    if ([...new Set(params.keys())].some((key) => key !== "tag" && params.getAll(key).length > 1)) continue;
    const orders = Object.entries(ORDERS());
    const [name, key] = orders[round % orders.length] as (typeof orders)[number];
    const isDescending = random() < 0.5;
    if (random() < 0.8) params.append("sort", `${isDescending ? "-" : ""}${name}`);
    const matching = inOrder(
      leads.filter((lead) => chosen.every(({ keeps }) => keeps(lead))),
      params.has("sort") ? key : () => null,
      isDescending ? -1 : 1,
    );
    const offset = Math.floor(random() * (matching.length + 5));
    const limit = 1 + Math.floor(random() * 20);
    read += 1;
    const { status, body } = await list(`${params.toString()}&limit=${limit}&offset=${offset}`);
    expect({ of: params.toString(), status, total: body.total, ids: body.leads?.map(({ id }) => id) }).toEqual({
      of: params.toString(),
      status: 200,
      total: matching.length,
      ids: matching.slice(offset, offset + limit).map(({ id }) => id),
    });
  }
  return read;
}
