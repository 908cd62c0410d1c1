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

/** What every feature is handed. Features keep no other global. */
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

/** A program that calls in its owner's name. */
export type CallingKey = { id: string; name: string; scopes: readonly Scope[] };

/** Who calls, read from a verified access token, or the owner of the key that calls. `email` and `sessionId` are empty for a key. */
export type Caller = {
  id: string;
  email: string;
  sessionId: string;
  claims: { sub: string; role: "authenticated"; [claim: string]: unknown };
  /** null: a person, signed in */
  key: CallingKey | null;
};

/** How routes ask who calls and whether he may: features receive it, auth and billing provide it. */
export type Access = {
  /** @throws ProblemError 401 (`unauthorized`, `token_expired`), 429 after many wrong keys */
  authenticate(request: FastifyRequest): Promise<Caller>;
  hasSubscription(userId: string): Promise<boolean>;
  /** Counts a call of someone signed in. @throws ProblemError 429 when there are too many */
  onCall?(userId: string): void;
  /** Asked before a subscriber changes anything. @throws ProblemError 409 while an export is being brought in */
  onWrite?(userId: string): Promise<void>;
  /** Told of everyone whom the subscription gate turned away. */
  onRefused?(userId: string): void;
};

/** Something started that must be stopped before the process ends. */
export type Running = { stop(): Promise<void> };

/** The name of the key that a caller has used, for the rows that it causes; null for a person. */
export const byKeyOf = ({ key }: Pick<Caller, "key">): string | null => key?.name ?? null;
