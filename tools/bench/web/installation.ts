import { request } from "@playwright/test";
import { sql } from "kysely";
import { connect } from "../../../scripts/screenshots/story.ts";
import { openDatabase } from "../../../server/db/index.ts";
import { Api, Product, Sandbox } from "../../../tests/e2e/fixtures.ts";
import { seedLeads } from "../../../tests/support/seed.ts";

export const PERSON = { email: "bench@example.com", password: "correct horse battery", name: "Bench" };
export const LEADS = 10_000;
const PHONE = "+15550001111";
const STAGES = [
  { name: "Interested", keywords: ["price"], order: 2, color: "#c77700" },
  { name: "Customer", keywords: ["invoice"], order: 3, color: "#1f8a4c" },
];

export type Furnished = {
  product: Product;
  /** The lead with the long conversation. */
  talker: string;
};

/**
 * Starts the product on its embedded database with one subscriber, a connected account, three stages and 10,000 leads, one of them with a
 * conversation of this many messages.
 */
export async function startFurnished(messages: number): Promise<Furnished> {
  const product = await Product.start();
  const calls = await request.newContext();
  const sandbox = new Sandbox(calls, product.url);
  const { email, password, name } = PERSON;
  const answer = await calls.post(`${product.url}/auth/v1/signup`, {
    headers: { apikey: "leadloom-anon" },
    data: { email, password, data: { name } },
  });
  const { access_token, user } = (await answer.json()) as { access_token: string; user: { id: string } };
  const api = new Api(calls, product.url, access_token);
  await sandbox.subscribe(email);
  await connect(api, sandbox, PHONE);
  await api.call("GET", "/stages");
  for (const stage of STAGES) await api.call("POST", "/stages", stage);
  const stages = await api.call<{ id: string }[]>("GET", "/stages");
  for (const [index, { id }] of stages.entries())
    await api.call("POST", "/followups", undefined, {
      stage_id: id,
      message: `What to say next in stage ${index + 1}.`,
      followup_order: 0,
      delay_hours: 24,
    });
  await api.call("POST", "/reminders", {
    type: "stuck",
    stage: "Interested",
    delay_days: 3,
    channel_id: "me",
    template: "{name} is stuck.",
  });
  await api.call("POST", "/snippets", { title: "Price", text: "It is ten euros a month." });
  await calls.dispose();

  // Receiving ten thousand messages would take minutes, so their rows are inserted while the product is stopped.
  const dataDir = await product.pause();
  const { db, close } = await openDatabase({ kind: "pglite", dataDir });
  const [lead] = await seedLeads(
    db,
    user.id,
    stages.map(({ id }) => id),
    LEADS,
  );
  await sql`insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, sent_at, source, state)
    select owner_id, 1, telegram_user_id, n, n % 3 = 0, 'Message ' || n || '.' || case when n % 7 = 0 then repeat(' and a few words more', 6) else '' end,
      timestamptz '2026-01-01' + n * interval '20 minutes', case when n % 3 = 0 then 'telegram' else 'them' end, case when n % 3 = 0 then 'sent' else 'received' end
    from leads, generate_series(1, ${messages}::int) n where id = ${lead?.id ?? ""}::uuid`.execute(db);
  await sql`vacuum analyze leads`.execute(db);
  await sql`vacuum analyze messages`.execute(db);
  await close();
  await product.start();
  return { product, talker: lead?.id ?? "" };
}
