import { createBus } from "../../server/core/bus.ts";
import { systemClock } from "../../server/core/clock.ts";
import type { Db, Engine } from "../../server/db/index.ts";
import { createIntake } from "../../server/leads/intake.ts";
import { createStageRules } from "../../server/stages/rules.ts";
import type { TelegramMessage } from "../../domain/telegram-message.ts";
import { round } from "./measure.ts";

const MESSAGES = 6_000;
const ACCOUNTS = 8;

type Options = { db: Db; engine: Engine; url: string; headers: Record<string, string> };

/** Measures how fast messages become leads, and how fast a bulk message to 100,000 of them is planned. */
export async function benchEngine({ db, engine, url, headers }: Options): Promise<Record<string, string | number>> {
  return { ...(await benchIntake(db, engine)), ...(await benchPlan(url, headers)) };
}

async function benchIntake(db: Db, engine: Engine): Promise<Record<string, string | number>> {
  const bus = await createBus(db, engine, () => {});
  const intake = createIntake({ db, bus, clock: systemClock }, createStageRules(db, bus));
  const owners = await db
    .selectFrom("auth.users")
    .select("id")
    .where("email", "like", "other-%")
    .limit(ACCOUNTS)
    .execute();
  const message = (userId: string, index: number): TelegramMessage => ({
    accountId: userId,
    userId,
    accountUserId: "1",
    peer: {
      id: String(5_000_000 + (index % 700)),
      name: `Writer ${index % 700}`,
      username: null,
      isBot: false,
      isSelf: false,
      isContact: false,
      isDeleted: false,
    },
    messageId: index + 1,
    text: index % 5 === 0 ? `I would like word${index % 20} please` : "just saying hello to all of you out there",
    kind: "text",
    media: null,
    preview: null,
    date: new Date(Date.parse("2026-06-01T00:00:00Z") + index * 1000).toISOString(),
    isOutgoing: false,
  });
  const from = performance.now();
  await Promise.all(
    owners.map(async ({ id }) => {
      for (let index = 0; index < MESSAGES / ACCOUNTS; index += 1) await intake.record(id, [message(id, index)]);
    }),
  );
  const rate = (MESSAGES * 1000) / (performance.now() - from);
  return { "messages through intake a second (budget 500)": Math.round(rate) };
}

async function benchPlan(url: string, headers: Record<string, string>): Promise<Record<string, string | number>> {
  await connect(url, headers);
  const form = new FormData();
  form.set("message", "Hello again");
  form.set("stage_id", "");
  form.set("throttle", "10");
  const from = performance.now();
  const answer = await fetch(`${url}/api/bulk`, { method: "POST", headers, body: form });
  const seconds = (performance.now() - from) / 1000;
  const { job_id: id } = (await answer.json()) as { job_id?: string };
  const job =
    id === undefined
      ? null
      : ((await (await fetch(`${url}/api/bulk/${id}`, { headers })).json()) as { total_targets: number });
  if (id !== undefined) await fetch(`${url}/api/bulk/${id}`, { method: "DELETE", headers });
  return {
    [`plan of ${job?.total_targets ?? `(refused with ${answer.status})`} targets, seconds (budget 5)`]: round(seconds),
  };
}

/** Logs in a simulated account: bulk messages are planned only for a connected one. */
export async function connect(url: string, headers: Record<string, string>): Promise<void> {
  const phone = "+15557770001";
  const post = (address: string, body: unknown) =>
    fetch(`${url}/api/telegram/${address}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await post("send-code", { phone });
  const account = await fetch(`${url}/sandbox/telegram/accounts/${encodeURIComponent(phone)}`);
  const { login_code: code } = (await account.json()) as { login_code: string };
  await post("verify-code", { phone, code });
}
