import { timingSafeEqual } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Engine } from "../db/index.ts";
import type { Config } from "./config.ts";
import { notFound } from "./problem.ts";

const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const JOB_BUCKETS = [0.05, 0.25, 1, 5, 15, 60, 300];
const DELAY_QUANTILES = [50, 99];
const GAUGE_LABELS = ["quantile", "state", "kind"];
const NANOSECONDS = 1e9;
/** Routes without a duration metric: streams and long waits would distort it. */
const OPEN_ENDED = new Set(["/api/events", "/api/telegram/qr-complete"]);

/** Prometheus metrics of a process. Labels are routes, states and fixed names, never ids or personal data. */
export type Metrics = {
  registry: Registry;
  /** messages of connected accounts handed to the intake */
  countIntake(): void;
  /** one attempt to send, by kind of message and how Telegram's answer was judged */
  countSend(kind: string, outcome: string): void;
  /** a tool that an assistant called, by how it ended: `done`, or the code of the refusal */
  countTool(tool: string, outcome: string): void;
  /** one attempt to deliver to a webhook, by what became of the delivery */
  countDelivery(outcome: string): void;
  observeJob(name: string, succeeded: boolean, seconds: number): void;
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** Adds a gauge that is read at each scrape; a value that cannot be read is left out. */
  gauge(name: string, help: string, read: () => number | Promise<number> | Promise<Labelled[]>): void;
  stop(): void;
};
export type Labelled = { labels: Record<string, string>; value: number };

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const requests = new Histogram({
    name: "leadloom_http_request_seconds",
    help: "How long requests took, by route and status.",
    labelNames: ["method", "route", "status"],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const jobs = new Histogram({
    name: "leadloom_job_seconds",
    help: "How long runs of scheduled work took, by name and result.",
    labelNames: ["job", "result"],
    buckets: JOB_BUCKETS,
    registers,
  });
  const intake = new Counter({
    name: "leadloom_intake_messages_total",
    help: "Messages of connected accounts handed to the intake of this process.",
    registers,
  });
  const sends = new Counter({
    name: "leadloom_sends_total",
    help: "Attempts of this process to send, by kind of message and outcome.",
    labelNames: ["kind", "outcome"],
    registers,
  });
  const tools = new Counter({
    name: "leadloom_mcp_tools_total",
    help: "Tools that assistants called at this process, by name and outcome.",
    labelNames: ["tool", "outcome"],
    registers,
  });
  const deliveries = new Counter({
    name: "leadloom_webhook_tries_total",
    help: "Attempts of this process to deliver to webhooks, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const gauge: Metrics["gauge"] = (name, help, read) => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers,
      labelNames: GAUGE_LABELS,
      async collect() {
        made.reset();
        const value = await Promise.resolve(read()).catch(() => []);
        if (typeof value === "number") made.set(value);
        else for (const { labels, value: part } of value) made.set(labels, part);
      },
    });
  };
  gauge("leadloom_event_loop_delay_seconds", "Delay of the event loop since the last reading.", async () => {
    const values = DELAY_QUANTILES.map((quantile) => ({
      labels: { quantile: String(quantile / 100) },
      value: delay.percentile(quantile) / NANOSECONDS,
    }));
    delay.reset();
    return values;
  });
  gauge("process_resident_memory_bytes", "Memory of this process.", () => process.memoryUsage.rss());
  gauge("process_uptime_seconds", "How long this process has been running.", () => process.uptime());
  return {
    registry,
    countIntake: () => intake.inc(),
    countSend: (kind, outcome) => sends.inc({ kind, outcome }),
    countTool: (tool, outcome) => tools.inc({ tool, outcome }),
    countDelivery: (outcome) => deliveries.inc({ outcome }),
    observeJob: (job, succeeded, seconds) => jobs.observe({ job, result: succeeded ? "done" : "failed" }, seconds),
    observeRequest: (labels, seconds) => requests.observe(labels, seconds),
    gauge,
    stop: () => delay.disable(),
  };
}

/** Reads the database's own numbers: every process reports the same, so alert on their maximum, not on their sum. */
export function watchDatabase(metrics: Metrics, { kind, pool, sessions }: Engine): void {
  metrics.gauge("leadloom_database_sessions", `Sessions of this process (${kind}).`, async () =>
    Object.entries(sessions()).map(([state, value]) => ({ labels: { state }, value })),
  );
  metrics.gauge("leadloom_outbox_rows", "Messages not yet settled, by kind and state.", async () => {
    const { rows } = await pool.query<{ kind: string; state: string; count: number }>(
      `select kind, state, count(*)::int as count from outbox where state = 'pending' group by 1, 2
       union all select kind, state, count(*)::int from outbox where state = 'sending' group by 1, 2`,
    );
    return rows.map(({ count, ...labels }) => ({ labels, value: count }));
  });
  metrics.gauge("leadloom_telegram_accounts", "Telegram accounts, by state.", async () => {
    const { rows } = await pool.query<{ state: string; count: number }>(
      "select state, count(*)::int as count from telegram_sessions group by 1",
    );
    return rows.map(({ state, count }) => ({ labels: { state }, value: count }));
  });
}

/**
 * Serves `GET /metrics` in Prometheus's text format: to callers with METRICS_TOKEN or, if it is not set, to callers on this machine
 * without a proxy. Others get a 404.
 */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, { metricsToken }: Config): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "(none)";
    if (!OPEN_ENDED.has(route))
      metrics.observeRequest({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  app.get("/metrics", async (request, reply) => {
    if (!(metricsToken === null ? isLocal(request) : bears(request, metricsToken))) throw notFound();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  LOOPBACK.has(socket.remoteAddress ?? "") &&
  headers["x-forwarded-for"] === undefined &&
  headers["forwarded"] === undefined;

function bears({ headers }: FastifyRequest, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
