import fs from "node:fs";
import { isIP, isIPv6 } from "node:net";
import path from "node:path";
import { DATABASE_LIMITS, type DatabaseLimits } from "../db/limits.ts";
import { type EmbeddedSecrets, readEmbeddedSecrets } from "./secrets.ts";

export type Config = {
  production: boolean;
  role: "all" | "web" | "worker";
  host: string;
  port: number;
  publicUrl: string;
  /** Proxies whose X-Forwarded-For is trusted; from other addresses the header is ignored. */
  trustedProxies: string[];
  dataDir: string;
  logLevel: string;
  database: { kind: "pglite"; dataDir: string } | { kind: "postgres"; url: string; limits: DatabaseLimits };
  auth:
    | { kind: "embedded"; jwtSecret: string; anonKey: string; smtpUrl: string | null; mailFrom: string }
    | { kind: "supabase"; url: string; anonKey: string; serviceRoleKey: string; jwtSecret: string | null };
  telegram: { kind: "sandbox" } | { kind: "real"; apiId: number; apiHash: string };
  billing:
    | { kind: "sandbox"; webhookSecrets: string[]; trialDays: number; pastDueGraceDays: number }
    | {
        kind: "stripe";
        secretKey: string;
        webhookSecrets: string[];
        priceId: string;
        trialDays: number;
        pastDueGraceDays: number;
      };
  /** where the page may load QR pictures from, when the installation names an image service */
  qrImageOrigin: string | null;
  /** the token for /metrics; without one only callers on this machine may read it */
  metricsToken: string | null;
  /** how many Telegram accounts a worker process holds at most */
  mostAccounts: number;
  /** calls a second that one user may make; 0: no limit */
  callsPerSecond: number;
  /** calls a minute that one key may make */
  keyCallsPerMinute: number;
  /** above this mean delay of the event loop, in ms, new requests get a 503; 0: never */
  shedAboveMs: number;
  /** bytes of all stored files of one user */
  mediaPerUserBytes: number;
  /** bytes of the cache of files that users opened */
  mediaCacheBytes: number;
  /** largest zip that may be imported into an account */
  accountImportBytes: number;
  /** data is erased this long after access ends */
  eraseAfterDays: number;
  /** whether webhooks may use private addresses and plain http */
  webhookAllowPrivate: boolean;
  /** AES-256 keys by version, newest last; the newest encrypts, all of them decrypt. */
  encryptionKeys: { version: number; key: Buffer }[];
};

/** Returns the URL host by which this machine reaches a server that listens on `host`. */
export const reachableHost = (host: string): string =>
  host === "0.0.0.0" || host === "::" ? "localhost" : isIPv6(host) ? `[${host}]` : host;

/** Replaces PORT=0 by the port that the system chose, also in the public address where PUBLIC_URL does not give one. */
export function setListeningPort(config: Config, port: number): void {
  if (config.port !== 0) return;
  config.port = port;
  config.publicUrl = config.publicUrl.replace(/:0$/, `:${port}`);
}

/** The names of the parts that are simulated, as the page's badge shows them. */
export const simulatedParts = (config: Config): ("telegram" | "billing")[] => [
  ...(config.telegram.kind === "sandbox" ? (["telegram"] as const) : []),
  ...(config.billing.kind === "sandbox" ? (["billing"] as const) : []),
];

/** Every problem of the environment, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** Shorter secrets could be guessed from one token (RFC 7518, 3.2: at least as long as the hash). */
const JWT_SECRET_MIN_CHARS = 32;

const CALLS_PER_SECOND = 100;
const KEY_CALLS_PER_MINUTE = 600;
const SHED_ABOVE_MS = 300;

type Env = Record<string, string | undefined>;

/**
 * Reads and checks the environment (docs/operations.md lists the variables). Any variable may come from a file instead:
 * NAME_FILE holds the file's path, as container secrets do.
 * @throws ConfigError with a line for each bad or missing combination
 */
export function readConfig(env: Env): Config {
  const problems: string[] = [];
  const text = (name: string): string | null =>
    env[name]?.trim() || readSecretFile(name, env[`${name}_FILE`], problems);
  const whole = (name: string, fallback: number, max: number, min = 0): number => {
    const value = text(name);
    if (value === null) return fallback;
    if (/^\d+$/.test(value) && Number(value) <= max && Number(value) >= min) return Number(value);
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
    return fallback;
  };
  const oneOf = <T extends string>(name: string, choices: readonly T[], fallback: T): T => {
    const value = text(name) ?? fallback;
    if ((choices as readonly string[]).includes(value)) return value as T;
    problems.push(`${name} must be one of ${choices.join(", ")}, not "${value}".`);
    return fallback;
  };
  const allOrNone = (names: string[]): boolean => {
    const missing = names.filter((name) => text(name) === null);
    if (missing.length === names.length) return false;
    if (missing.length > 0)
      problems.push(
        `${missing.join(" and ")} must be set together with ${names.filter((name) => !missing.includes(name)).join(" and ")}.`,
      );
    return missing.length === 0;
  };

  const production = text("NODE_ENV") === "production";
  const dataDir = path.resolve(text("LEADLOOM_DATA") ?? "data");
  const host = text("HOST") ?? "127.0.0.1";
  const port = whole("PORT", 3000, 65_535);
  const role = oneOf("ROLE", ["all", "web", "worker"] as const, "all");
  const publicUrl = readUrl("PUBLIC_URL", text("PUBLIC_URL"), problems) ?? defaultPublicUrl(host, port, problems);
  const trustedProxies = readTrustedProxies(text("TRUSTED_PROXIES"), problems);
  const secrets = readSecrets(dataDir);

  const databaseUrl = text("DATABASE_URL");
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl))
    problems.push("DATABASE_URL must start with postgres:// or postgresql://.");
  if (databaseUrl === null && role !== "all")
    problems.push(`ROLE=${role} needs DATABASE_URL: the embedded database serves one process only.`);

  const limits: DatabaseLimits = {
    poolSize: whole("DATABASE_POOL_SIZE", DATABASE_LIMITS.poolSize, 500, 2),
    statementMs: whole("DATABASE_STATEMENT_MS", DATABASE_LIMITS.statementMs, 600_000, 1_000),
    lockMs: whole("DATABASE_LOCK_MS", DATABASE_LIMITS.lockMs, 600_000, 100),
    idleTransactionMs: whole("DATABASE_IDLE_TRANSACTION_MS", DATABASE_LIMITS.idleTransactionMs, 600_000, 1_000),
    queryMs: whole("DATABASE_QUERY_MS", DATABASE_LIMITS.queryMs, 600_000, 1_000),
    keepAliveMs: whole("DATABASE_KEEPALIVE_MS", DATABASE_LIMITS.keepAliveMs, 600_000, 1_000),
    // Supabase's transaction pooler listens on this port and does not support prepared statements.
    namedStatements: whole("DATABASE_NAMED_STATEMENTS", /:6543(\/|\?|$)/.test(databaseUrl ?? "") ? 0 : 1, 1) === 1,
  };
  if (limits.queryMs <= limits.statementMs)
    problems.push(
      "DATABASE_QUERY_MS must be greater than DATABASE_STATEMENT_MS: the database gives up first, and says why.",
    );

  const hasSupabase = allOrNone(["SUPABASE_URL", "SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY"]);
  if (hasSupabase && databaseUrl === null)
    problems.push("SUPABASE_URL needs DATABASE_URL: the address of that project's Postgres.");
  const jwtSecret = text("SUPABASE_JWT_SECRET");
  if (jwtSecret !== null && jwtSecret.length < JWT_SECRET_MIN_CHARS)
    problems.push(`SUPABASE_JWT_SECRET must have ${JWT_SECRET_MIN_CHARS} characters or more: openssl rand -base64 32.`);
  // Processes on several machines would each use another secret.
  if (production && !hasSupabase && databaseUrl !== null && jwtSecret === null)
    problems.push(
      "SUPABASE_JWT_SECRET must be set in production with DATABASE_URL: every process signs and checks access tokens with it.",
    );
  const hasTelegram = allOrNone(["TELEGRAM_API_ID", "TELEGRAM_API_HASH"]);
  const apiId = whole("TELEGRAM_API_ID", 0, 2 ** 31 - 1);
  const hasStripe = allOrNone(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"]);
  const encryptionKeys = readEncryptionKeys(text("ENCRYPTION_KEYS"), secrets.encryptionKey, problems);
  if (production && text("ENCRYPTION_KEYS") === null)
    problems.push("ENCRYPTION_KEYS must be set in production: 1:<32 bytes in base64>, comma-separated, newest last.");
  const smtpUrl = text("SMTP_URL");
  if (smtpUrl !== null && !/^smtps?:\/\//.test(smtpUrl)) problems.push("SMTP_URL must start with smtp:// or smtps://.");

  const trialDays = whole("STRIPE_TRIAL_DAYS", 0, 730);
  const pastDueGraceDays = whole("PAST_DUE_GRACE_DAYS", 7, 60);
  const config: Config = {
    production,
    role,
    host,
    port,
    publicUrl: publicUrl.replace(/\/$/, ""),
    trustedProxies,
    dataDir,
    logLevel: oneOf(
      "LOG_LEVEL",
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const,
      production ? "info" : "warn",
    ),
    database: databaseUrl === null ? { kind: "pglite", dataDir } : { kind: "postgres", url: databaseUrl, limits },
    auth: hasSupabase
      ? {
          kind: "supabase",
          url: (readUrl("SUPABASE_URL", text("SUPABASE_URL"), problems) ?? "").replace(/\/$/, ""),
          anonKey: text("SUPABASE_ANON_KEY") ?? "",
          serviceRoleKey: text("SUPABASE_SERVICE_ROLE_KEY") ?? "",
          jwtSecret,
        }
      : {
          kind: "embedded",
          jwtSecret: jwtSecret ?? secrets.jwtSecret,
          anonKey: text("SUPABASE_ANON_KEY") ?? "leadloom-anon",
          smtpUrl,
          mailFrom: text("SMTP_FROM") ?? `Leadloom <no-reply@${new URL(publicUrl).hostname}>`,
        },
    telegram: hasTelegram ? { kind: "real", apiId, apiHash: text("TELEGRAM_API_HASH") ?? "" } : { kind: "sandbox" },
    billing: hasStripe
      ? {
          kind: "stripe",
          secretKey: text("STRIPE_SECRET_KEY") ?? "",
          webhookSecrets: (text("STRIPE_WEBHOOK_SECRET") ?? "").split(",").map((secret) => secret.trim()),
          priceId: text("STRIPE_PRICE_ID") ?? "",
          trialDays,
          pastDueGraceDays,
        }
      : { kind: "sandbox", webhookSecrets: [secrets.stripeWebhookSecret], trialDays, pastDueGraceDays },
    qrImageOrigin: originOf(readUrl("VITE_QR_IMAGE_SERVICE", text("VITE_QR_IMAGE_SERVICE"), problems)),
    metricsToken: text("METRICS_TOKEN"),
    callsPerSecond: whole("CALLS_PER_SECOND", production ? CALLS_PER_SECOND : 0, 100_000),
    keyCallsPerMinute: whole("KEY_CALLS_PER_MINUTE", KEY_CALLS_PER_MINUTE, 100_000, 1),
    shedAboveMs: whole("SHED_ABOVE_MS", SHED_ABOVE_MS, 60_000),
    mostAccounts: whole("WORKER_MAX_ACCOUNTS", 5_000, 100_000, 1),
    eraseAfterDays: whole("ERASE_AFTER_DAYS", 365, 36_500, 31),
    mediaPerUserBytes: whole("MEDIA_PER_USER_MB", 1_024, 1_000_000, 1) * 1_048_576,
    mediaCacheBytes: whole("MEDIA_CACHE_MB", 500, 1_000_000) * 1_048_576,
    webhookAllowPrivate: whole("WEBHOOK_ALLOW_PRIVATE", 0, 1) === 1,
    accountImportBytes: whole("ACCOUNT_IMPORT_MAX_MB", 500, 100_000, 1) * 1_048_576,
    encryptionKeys,
  };
  const simulated = simulatedParts(config);
  if (production && simulated.length > 0 && text("LEADLOOM_SANDBOX") !== "1") {
    problems.push(
      `NODE_ENV=production would run a simulated ${simulated.join(" and ")}. Configure the real one, or set LEADLOOM_SANDBOX=1.`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function readSecretFile(name: string, file: string | undefined, problems: string[]): string | null {
  if (!file) return null;
  try {
    const content = fs.readFileSync(file, "utf8").trim();
    if (content === "") throw new Error("it is empty");
    return content;
  } catch (error) {
    const problem = `${name}_FILE cannot be read: ${(error as Error).message}`;
    if (!problems.includes(problem)) problems.push(problem);
    return null;
  }
}

function readUrl(name: string, value: string | null, problems: string[]): string | null {
  if (value === null) return null;
  if (URL.canParse(value) && /^https?:/.test(value)) return value;
  problems.push(`${name} must be an http(s) address, not "${value}".`);
  return null;
}

function defaultPublicUrl(host: string, port: number, problems: string[]): string {
  const url = `http://${reachableHost(host)}:${port}`;
  if (URL.canParse(url)) return url;
  problems.push(`HOST must be a host name or an IP address, not "${host}".`);
  return "http://localhost";
}

function readSecrets(dataDir: string): EmbeddedSecrets {
  try {
    return readEmbeddedSecrets(dataDir);
  } catch (error) {
    throw new ConfigError([`LEADLOOM_DATA cannot be used: ${(error as Error).message}`]);
  }
}

const originOf = (url: string | null): string | null => (url === null ? null : new URL(url).origin);

function readTrustedProxies(value: string | null, problems: string[]): string[] {
  const addresses = (value ?? "")
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
  const wrong = addresses.filter((address) => {
    const [ip = "", bits, ...rest] = address.split("/");
    const family = isIP(ip);
    const most = family === 4 ? 32 : 128;
    return family === 0 || rest.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most));
  });
  for (const address of wrong) problems.push(`TRUSTED_PROXIES must list IP addresses or ranges, not "${address}".`);
  return addresses.filter((address) => !wrong.includes(address));
}

function readEncryptionKeys(value: string | null, embedded: string, problems: string[]): Config["encryptionKeys"] {
  const entries = (value ?? `1:${embedded}`).split(",").map((entry) => entry.trim());
  const keys = entries.map((entry) => {
    const [version = "", encoded = ""] = entry.split(/:(.*)/s);
    return { version: Number(version), key: Buffer.from(encoded, "base64") };
  });
  if (keys.some(({ version, key }) => !Number.isInteger(version) || version < 1 || key.length !== 32)) {
    problems.push("ENCRYPTION_KEYS must be a list such as 1:<32 bytes in base64>,2:<32 bytes in base64>, newest last.");
  }
  // Of two keys with the same version, only one is used; data encrypted with the other could not be decrypted.
  if (new Set(keys.map(({ version }) => version)).size < keys.length)
    problems.push("ENCRYPTION_KEYS must give each key a different version.");
  return keys.toSorted((a, b) => a.version - b.version);
}
