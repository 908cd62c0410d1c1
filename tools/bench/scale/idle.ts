import { pause } from "./installation.ts";
import { atMost, type Topic } from "./topic.ts";

const SECONDS = 60;
const SETTLE_MS = 10_000;

/** Statements per second of two workers that hold every account while nothing is due. */
export const idle: Topic = {
  name: "idle",
  async measure({ accounts, database: { engine }, installation, print }) {
    await installation.startWorker();
    await installation.startWorker();
    await installation.allShared();
    await pause(SETTLE_MS);
    await engine.pool.query("select pg_stat_statements_reset()");
    await pause(SECONDS * 1000);
    const { rows } = await engine.pool.query<{ query: string; calls: string }>(
      "select left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as query, calls from pg_stat_statements where query not like '%pg_stat_statements%' order by calls desc",
    );
    for (const { query, calls } of rows.slice(0, 12)) print(`  ${(Number(calls) / SECONDS).toFixed(2)}/s  ${query}`);
    const perSecond = rows.reduce((sum, { calls }) => sum + Number(calls), 0) / SECONDS;
    return [
      atMost(
        `statements a second, ${accounts} idle accounts in two workers`,
        perSecond,
        20 + accounts / 60,
        "a second",
      ),
    ];
  },
};
