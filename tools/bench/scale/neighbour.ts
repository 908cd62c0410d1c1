import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { pause } from "./installation.ts";
import { atMost, type Topic } from "./topic.ts";

const LEADS = 100_000;
const FILLED_AT_ONCE = 2_000;
const SECONDS = 10;
const BETWEEN_MS = 15;

/** The 99th percentile of a subscriber's first page while another subscriber requests 100,000 leads in a loop. */
export const neighbour: Topic = {
  name: "neighbour",
  async measure({ database: { engine }, installation, print }) {
    const web = await installation.startWorker({ ROLE: "web" });
    const join = async (name: string, leads: number): Promise<string> => {
      const answer = await fetch(`${web.url}/auth/v1/signup`, {
        method: "POST",
        headers: { "content-type": "application/json", apikey: "leadloom-anon" },
        body: JSON.stringify({ email: `${name}@example.com`, password: "correct horse battery" }),
      });
      const session = (await answer.json()) as { access_token: string; user: { id: string } };
      await engine.pool.query("insert into subscriptions (user_id, status) values ($1, 'active')", [session.user.id]);
      for (let first = 1; first <= leads; first += FILLED_AT_ONCE)
        await engine.pool.query(
          `insert into leads (owner_id, telegram_user_id, name, stage_id, created_at, stage_entered_at)
           select $1, n, 'Person ' || n, (select id from stages where owner_id = $1 order by "order" limit 1), now() - n * interval '1 second', now()
           from generate_series($2::int, $3::int) n`,
          [session.user.id, first, Math.min(leads, first + FILLED_AT_ONCE - 1)],
        );
      return session.access_token;
    };
    const [greedy, modest] = [await join("greedy", LEADS), await join("modest", 500)];
    await engine.pool.query("analyze leads");
    const ask = async (token: string, limit: number) => {
      const answer = await fetch(`${web.url}/api/leads?limit=${limit}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    const watch = async (seconds: number) => {
      const times: number[] = [];
      for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
        const from = performance.now();
        const status = await ask(modest, 50);
        if (status !== 200) throw new Error(`the neighbour got status ${status}`);
        times.push(performance.now() - from);
        await pause(BETWEEN_MS);
      }
      times.sort((a, b) => a - b);
      return { p50: times[times.length >> 1] ?? 0, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
    };
    await watch(2);
    await ask(greedy, LEADS);
    const quiet = await watch(SECONDS);
    const loop = new Worker(new URL("./greedy.ts", import.meta.url), {
      workerData: { url: `${web.url}/api/leads?limit=${LEADS}`, token: greedy },
    });
    await once(loop, "online");
    const loud = await watch(SECONDS);
    loop.postMessage("over");
    const [answers] = await once(loop, "message");
    const format = ({ p50, p99 }: typeof quiet) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
    print(
      `  alone ${format(quiet)}; beside the loop ${format(loud)}; the loop's responses: ${JSON.stringify(answers)}`,
    );
    return [
      atMost("p99 of another user beside a loop of limit=100000, relative to alone", loud.p99 / quiet.p99, 2, "times"),
    ];
  },
};
