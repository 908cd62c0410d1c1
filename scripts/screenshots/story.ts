import type { Api, Sandbox } from "../../tests/e2e/fixtures.ts";
import { FIRST_WORDS, NEXT_WORDS, PEOPLE } from "./people.ts";

const DAY_SECONDS = 86_400;
const DAYS = 30;

const STAGES = [
  { name: "Interested", keywords: ["price", '"how much"'], order: 2, color: "#c77700" },
  { name: "Call booked", keywords: ["book", "call"], order: 3, color: "#3b6fd4" },
  { name: "Customer", keywords: ["invoice", '"how do I pay"'], order: 4, color: "#1f8a4c" },
];
const FOLLOWUPS = [
  [0, 24, "Hi! Thanks for writing. What would you like to reach in the next three months?"],
  [0, 72, "Just checking in: shall I send you the programme?"],
  [1, 24, "Here is what is included, week by week. Which day would suit you for a short call?"],
  [1, 48, "We have two places left for December. Shall I keep one for you?"],
  [2, 24, "Looking forward to our call! Anything I should prepare?"],
  [3, 168, "How was your first week? I would love to hear."],
] as const;
const SNIPPETS = [
  {
    title: "What it costs",
    text: "Hi {first_name|there}, the programme is 480 € for three months, in two parts if you like.",
  },
  {
    title: "Booking a call",
    text: "Which day suits you, {first_name|friend}? I am free on weekdays from nine to five.",
  },
];
const NOTES = [
  "Prefers mornings",
  "Asked for the yearly plan",
  "Met at the conference",
  "Wants an invoice for the company",
];

const TAGS = [
  { name: "Referral", color: "#7a4fd0" },
  { name: "Hot", color: "#c0392b" },
  { name: "Weekends only", color: "#2a7f9e" },
];
const CITIES = ["Berlin", "Lisbon", "Warsaw", "Rotterdam"];
const DEALS = [480, 960, 240, 1_200];

type Row = { id: string; name: string };

/** Waits until `isDone` returns true, so that the story continues from what the product has recorded. */
async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isDone());) {
    if (Date.now() > end) throw new Error(`Waited a minute for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

/** Connects the account by login code, over the API. */
export async function connect(api: Api, sandbox: Sandbox, phone: string): Promise<void> {
  await api.call("POST", "/telegram/send-code", { phone });
  await api.call("POST", "/telegram/verify-code", { phone, code: await sandbox.loginCode(phone) });
}

/** Creates stages, follow-ups, settings and a reminder, as a user would have them after a month. */
async function furnish(api: Api): Promise<void> {
  const [first] = await api.call<{ id: string; name: string; keywords: string[] }[]>("GET", "/stages");
  if (first === undefined) throw new Error("A new account has a first stage.");
  const { id, name, keywords } = first;
  await api.call("PATCH", `/stages/${id}`, { name, keywords, order: 1, color: "#7a8794" });
  for (const stage of STAGES) await api.call("POST", "/stages", stage);
  const stages = await api.call<Row[]>("GET", "/stages");
  const counts = new Map<number, number>();
  for (const [stage, delay_hours, message] of FOLLOWUPS) {
    const followup_order = counts.get(stage) ?? 0;
    counts.set(stage, followup_order + 1);
    const stage_id = stages[stage]?.id ?? "";
    await api.call("POST", "/followups", undefined, { stage_id, message, followup_order, delay_hours });
  }
  for (const snippet of SNIPPETS) await api.call("POST", "/snippets", snippet);
  await api.call("POST", "/reminders", {
    type: "stuck",
    stage: "Interested",
    delay_days: 3,
    channel_id: "@leadloom_team",
    template: "⏰ Lead {name} is stuck in stage {stage}.",
  });
  await api.call("POST", "/reminders", {
    type: "stuck",
    stage: "Call booked",
    delay_days: 7,
    channel_id: "me",
    template: "{name} ({username}) has waited {days} days in {stage}: {link}",
  });
}

/** Simulates a month of use through the product's API and sets up the remaining features. Returns the time at its end. */
export async function tellStory(signIn: () => Promise<Api>, sandbox: Sandbox, phone: string): Promise<string> {
  await liveAMonth(signIn, sandbox, phone);
  await answerSome(await signIn());
  await sortOut(await signIn());
  await openIntegrations(await signIn());
  await sandbox.advance(1_500);
  await automate(await signIn());
  return (await sandbox.call<{ now: string }>("GET", "/clock")).now;
}

/** Leads write, keywords move them, follow-ups are sent. Advances the sandbox's clock by one day at a time. */
async function liveAMonth(signIn: () => Promise<Api>, sandbox: Sandbox, phone: string): Promise<void> {
  const firstDay = await signIn();
  await connect(firstDay, sandbox, phone);
  await furnish(firstDay);
  let arrived = 0;
  for (let day = 0; day < DAYS; day++) {
    const share = Math.round(((day + 1) / DAYS) ** 1.3 * PEOPLE.length + Math.sin(day) * 1.4);
    const upTo = day === DAYS - 1 ? PEOPLE.length : Math.min(PEOPLE.length, Math.max(arrived, share));
    for (; arrived < upTo; arrived++) await writeAs(sandbox, phone, arrived);
    const expected = arrived;
    // A token is valid for an hour; each day of the story needs a new one.
    const api = await signIn();
    await until(`${expected} leads`, async () => (await countLeads(api)) >= expected);
    if (day < DAYS - 1) await sandbox.advance(DAY_SECONDS);
  }
}

const countLeads = async (api: Api) => (await api.call<{ total: number }>("GET", "/leads?limit=1")).total;

async function writeAs(sandbox: Sandbox, phone: string, index: number): Promise<void> {
  const [first_name, last_name, username] = PEOPLE[index] ?? ["", "", null];
  const from = { first_name, last_name, ...(username === null ? {} : { username }) };
  const { user_id } = await sandbox.receive(phone, from, FIRST_WORDS[index % FIRST_WORDS.length] ?? "");
  const steps = index % 11 === 0 ? 3 : index % 5 === 0 ? 2 : index % 2 === 0 ? 1 : 0;
  for (const words of NEXT_WORDS.slice(0, steps)) await sandbox.receive(phone, { ...from, user_id }, words);
}

/** Switches automation on: what is due next shows in the forecast, and what is overdue waits for approval. */
async function automate(api: Api): Promise<void> {
  const hours = { auto_followup_start_hour: 9, auto_followup_end_hour: 22 };
  await api.call("POST", "/user_settings", { auto_followups_enabled: true, ...hours });
}

/** Adds tags, custom fields and a saved view, and assigns them to some of the leads. */
async function sortOut(api: Api): Promise<void> {
  const tags: Row[] = [];
  for (const tag of TAGS) tags.push(await api.call("POST", "/tags", tag));
  const deal = await api.call<Row>("POST", "/fields", { name: "Deal, €", type: "number", is_value: true });
  const city = await api.call<Row>("POST", "/fields", { name: "City", type: "choice", options: CITIES });
  const { leads } = await api.call<{ leads: Row[] }>("GET", "/leads?limit=50");
  for (const [index, { id }] of leads.entries()) {
    const chosen = tags.filter((_, place) => (index + place * 2) % 5 === 0);
    if (chosen.length > 0) await api.call("PUT", `/leads/${id}/tags`, { tag_ids: chosen.map((tag) => tag.id) });
    if (index % 3 === 1) continue;
    const values = { [deal.id]: DEALS[index % DEALS.length], [city.id]: CITIES[index % CITIES.length] };
    await api.call("PATCH", `/leads/${id}/fields`, values);
  }
  const columns = ["name", "stage", "tags", `field.${deal.id}`, `field.${city.id}`];
  const query = `sort=-field.${deal.id}`;
  await api.call("POST", "/views", { name: "Biggest deals", kind: "list", query, columns });
}

/** Sets up a spreadsheet, an assistant and an automation tool, each by its own integration. */
async function openIntegrations(api: Api): Promise<void> {
  await api.call("POST", "/keys", { name: "Weekly sheet", scopes: ["read"] });
  await api.call("POST", "/keys", { name: "Assistant", scopes: ["read", "write", "send"] });
  await api.call("POST", "/webhooks", {
    url: "https://n8n.example.com/webhook/leads",
    events: ["lead.created", "message.received"],
  });
}

/** Answers some leads manually and adds notes to some. */
async function answerSome(api: Api): Promise<void> {
  const { leads } = await api.call<{ leads: Row[] }>("GET", "/leads?limit=50");
  for (const [index, { id }] of leads.entries()) {
    if (index % 4 === 1) await api.call("PATCH", `/leads/${id}`, { notes: NOTES[index % NOTES.length] });
    if (index % 6 === 2 && index < 24) await api.call("POST", `/followups/send/${id}`);
  }
}
