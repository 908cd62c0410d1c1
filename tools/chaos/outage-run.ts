import { Client } from "pg";
import { startPostgres } from "../../scripts/postgres.mjs";
import { openHouse, pause, type House } from "./house.ts";
import { Seller, until, untilSent } from "./seller.ts";

export type OutageFigures = {
  cuts: number;
  downs: number;
  requests: number;
  /** responses that asked to retry later */
  unavailable: number;
  /** other responses of 500 or more, and requests without a response */
  wrong: string[];
  slowestAnswerMs: number;
  /** from the start of the outage until /readyz reports it, and from its end until /readyz is good and requests succeed */
  noticedMs: number;
  recoveredMs: number;
  stagesInOrder: boolean;
  crashed: string[];
  sent: number;
  duplicated: number;
  lost: number;
};
type Plan = { cuts: number; downs: number; downMs: number; clients: number; leads: number };

/** Takes the database away under load: ends its sessions, then crashes and restarts it. Resolves with null where there is no Postgres. */
export async function runOutages(plan: Plan): Promise<OutageFigures | null> {
  const postgres = await startPostgres();
  if (postgres === null) return null;
  let house: House | null = null;
  try {
    house = await openHouse({ databaseUrl: postgres.url, workers: 1 });
    const seller = await Seller.join(house, 1);
    await seller.meetPeople(plan.leads);
    await seller.startBulk("Outage");
    const load = startLoad(house, seller, plan.clients);
    for (let cut = 0; cut < plan.cuts; cut += 1) {
      await pause(150);
      await endSessions(postgres.url);
    }
    let [noticedMs, recoveredMs] = [0, 0];
    for (let down = 0; down < plan.downs; down += 1) {
      postgres.down();
      noticedMs = Math.max(noticedMs, await timeUntil(house, (status) => status === 503));
      await pause(plan.downMs);
      postgres.up();
      recoveredMs = Math.max(recoveredMs, await timeUntil(house, (status) => status === 200, seller));
    }
    const answers = await load.stop();
    await untilSent(seller, plan.leads);
    const delivered = (await seller.delivered()).filter(({ text }) => text === "Outage");
    const people = new Set(delivered.map(({ to_user_id: id }) => id)).size;
    const orders = (await seller.stages()).map(({ order }) => order);
    const crashed: string[] = [];
    for (const member of [house.web, ...house.senders]) {
      const { exit } = await member.terminate();
      if (exit !== 0) crashed.push(`${member.name}: ${exit}`);
    }
    return {
      cuts: plan.cuts,
      downs: plan.downs,
      ...answers,
      noticedMs,
      recoveredMs,
      stagesInOrder: orders.every((order, index) => order === index + 1),
      crashed,
      sent: delivered.length,
      duplicated: delivered.length - people,
      lost: plan.leads - people,
    };
  } finally {
    await house?.close();
    postgres.stop();
  }
}

/** Starts clients that read and write without pause; returns what they received. */
function startLoad(house: House, seller: Seller, clients: number) {
  const over = new AbortController();
  const figures = { requests: 0, unavailable: 0, wrong: [] as string[], slowestAnswerMs: 0 };
  const calls = [
    () => seller.ask("GET", "/leads?limit=50"),
    () =>
      seller.ask("POST", "/stages", { name: `Stage ${Math.random()}`, keywords: ["word"], order: 1, color: "#336699" }),
    () => seller.ask("GET", "/stages"),
    () => fetch(`${house.web.url}/rest/v1/leads?limit=1`),
    () => seller.ask("GET", "/telegram/status"),
    () =>
      fetch(`${house.web.url}/auth/v1/token?grant_type=refresh_token`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ refresh_token: "unknown00000" }),
      }),
  ];
  const client = async (number: number): Promise<void> => {
    const call = calls[number % calls.length] ?? (() => seller.ask("GET", "/stages"));
    while (!over.signal.aborted) {
      const startedAt = performance.now();
      const answer = await call().catch((error: unknown) => String((error as Error).cause ?? error));
      figures.requests += 1;
      figures.slowestAnswerMs = Math.max(figures.slowestAnswerMs, Math.round(performance.now() - startedAt));
      if (typeof answer === "string") figures.wrong.push(answer);
      else if (answer.status === 503 && answer.headers.has("retry-after")) figures.unavailable += 1;
      else if (answer.status >= 500) figures.wrong.push(`${answer.url} ${answer.status} ${await answer.text()}`);
      await pause(20);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return {
    async stop() {
      over.abort();
      await running;
      return figures;
    },
  };
}

async function endSessions(url: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await admin.end();
}

/** Measures how long until every process reports the status and, with a seller, requests succeed. */
async function timeUntil(house: House, isSo: (status: number) => boolean, seller?: Seller): Promise<number> {
  const startedAt = performance.now();
  for (const { url } of [house.web, ...house.senders])
    await until(async () => isSo((await fetch(`${url}/readyz`)).status), "a change of /readyz", 60_000);
  if (seller !== undefined)
    await until(async () => (await seller.ask("GET", "/stages")).ok, "a call to be answered", 60_000);
  return Math.round(performance.now() - startedAt);
}
