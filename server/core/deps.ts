import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Scope } from "../../domain/api-key.ts";
import type { Db, Engine } from "../db/index.ts";
import type { Bus } from "./bus.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Jobs } from "./jobs.ts";
import type { Languages } from "./languages.ts";
import type { ProcessWork } from "./work.ts";

/** The dependencies of every feature. Features keep no other globals. */
export type Deps = {
  config: Config;
  db: Db;
  engine: Engine;
  clock: Clock;
  bus: Bus;
  jobs: Jobs;
  languages: Languages;
  logger: Logger;
  work: ProcessWork;
};

export type CallingKey = { id: string; name: string; scopes: readonly Scope[] };

/** Who calls, read from a verified access token, or the owner of the key that calls. `email` and `sessionId` are empty for a key. */
export type Caller = {
  id: string;
  email: string;
  sessionId: string;
  claims: { sub: string; role: "authenticated"; [claim: string]: unknown };
  /** null for a signed-in user */
  key: CallingKey | null;
};

/** Authenticates callers and checks their subscription. Provided by auth and billing. */
export type Access = {
  /** @throws ProblemError 401 (`unauthorized`, `token_expired`), 429 after many wrong keys */
  authenticate(request: FastifyRequest): Promise<Caller>;
  hasSubscription(userId: string): Promise<boolean>;
  /** Counts a call of a signed-in user. @throws ProblemError 429 after too many calls */
  onCall?(userId: string): void;
  /** Called before each change. @throws ProblemError 409 while an export is being imported */
  onWrite?(userId: string): Promise<void>;
  /** Called when the subscription gate refuses a user. */
  onRefused?(userId: string): void;
};

/** Something started that must be stopped before the process ends. */
export type Running = { stop(): Promise<void> };

/** Returns the name of the caller's key, for the rows of the call; null for a signed-in user. */
export const callingKeyName = ({ key }: Pick<Caller, "key">): string | null => key?.name ?? null;
