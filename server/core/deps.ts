import type { Logger } from "pino";
import type { Db, Engine } from "../db/index.ts";
import type { Bus } from "./bus.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Jobs } from "./jobs.ts";

/** What every feature is handed. Features keep no other global. */
export type Deps = {
  config: Config;
  db: Db;
  engine: Engine;
  clock: Clock;
  bus: Bus;
  jobs: Jobs;
  logger: Logger;
};

/** Who calls: read from a verified access token. */
export type Caller = {
  id: string;
  email: string;
  sessionId: string;
  claims: { sub: string; role: "authenticated"; [claim: string]: unknown };
};

/** How routes ask who calls and whether he may: features receive it, auth and billing provide it. */
export type Access = {
  /** @throws ProblemError 401 (`unauthorized`, `token_expired`) */
  authenticate(authorization: string | undefined): Promise<Caller>;
  hasSubscription(userId: string): Promise<boolean>;
  /** Counts a call of someone signed in. @throws ProblemError 429 when there are too many */
  onCall?(userId: string): void;
  /** Told of everyone whom the subscription gate turned away. */
  onRefused?(userId: string): void;
};

/** Something started that must be stopped before the process ends. */
export type Running = { stop(): Promise<void> };
