import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { Engine, Pool, PoolClient } from "../../server/db/index.ts";
import type { QueryResult } from "../../server/db/pool.ts";
import type { Database } from "../../server/db/schema.ts";

type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Plan[];
};

/** The number of rows read per table, including rows that a filter discarded. */
export type RowsRead = Map<string, number>;

const READS = /^\s*(\/\*.*?\*\/\s*)?(select|with|insert|update|delete)\b/i;
const BEGINS = /^(begin|start transaction)/i;
const ENDS = /^(commit|rollback)$/i;

/**
 * Wraps the database. Each statement is first run with explain analyze, and rolled back, to count the rows it reads. Sequential scans are
 * off, so that small tables behave like large ones.
 * @returns the database, and a function that returns the rows read since its last call
 */
export function countRows(engine: Engine): { db: Kysely<Database>; taken(): RowsRead } {
  let read: RowsRead = new Map();
  const note = (plan: Plan): void => {
    const table = plan["Relation Name"];
    if (table !== undefined && plan["Node Type"] !== "ModifyTable") {
      const seen =
        plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0);
      const rows = Math.round(seen * plan["Actual Loops"]);
      if (rows > 0) read.set(table, (read.get(table) ?? 0) + rows);
    }
    plan.Plans?.forEach(note);
  };
  const counting = (client: PoolClient): PoolClient => {
    let isOpen = false;
    const explain = async (text: string, params?: readonly unknown[]) => {
      await client.query(isOpen ? "savepoint counted" : "begin");
      await client.query("set local enable_seqscan = off");
      const { rows } = await client.query<{ "QUERY PLAN": unknown }>(
        `explain (analyze, timing off, format json) ${text}`,
        params,
      );
      await client.query(isOpen ? "rollback to savepoint counted" : "rollback");
      const given = rows[0]?.["QUERY PLAN"];
      const [found] = (typeof given === "string" ? JSON.parse(given) : given) as { Plan: Plan }[];
      if (found !== undefined) note(found.Plan);
    };
    return {
      async query<Row>(text: string, params?: readonly unknown[]): Promise<QueryResult<Row>> {
        if (READS.test(text)) await explain(text, params);
        const answer = await client.query<Row>(text, params);
        if (BEGINS.test(text)) isOpen = true;
        if (ENDS.test(text)) isOpen = false;
        return answer;
      },
      release: (error) => client.release(error),
    };
  };
  const pool: Pool = { ...engine.pool, connect: async () => counting(await engine.pool.connect()) };
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) }),
    taken() {
      const taken = read;
      read = new Map();
      return taken;
    },
  };
}
