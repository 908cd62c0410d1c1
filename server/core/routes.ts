import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import * as v from "valibot";
import type { Scope } from "../../domain/api-key.ts";
import type { Clock } from "./clock.ts";
import { createConcurrencyLimiter, type ConcurrencyLimiter } from "./concurrency.ts";
import type { Access, Caller, Deps } from "./deps.ts";
import { fieldProblemsOf } from "./field-problem.ts";
import type { Reference } from "./openapi/operation.ts";
import { invalidFields, missingScope, notFound, refuse, subscriptionRequired } from "./problem.ts";

type Schema = v.GenericSchema;
type Out<S> = S extends Schema ? v.InferOutput<S> : undefined;

/** Who may call: anyone, anyone signed in, or a subscriber. */
export type Gate = "public" | "signedIn" | "subscribed";

/**
 * What a route needs of a key: a scope; one of several, when the handler decides by the body (`requireScope`); or no key at all, because
 * only signed-in users may call it, or anyone may.
 */
export type RouteScope = Scope | readonly [Scope, ...Scope[]] | "person" | "public";

export type RouteSpec<P, Q, B, G extends Gate> = (Reference | Undocumented) & {
  method: HTTPMethods;
  url: string;
  gate: G;
  scope: G extends "public" ? "public" : Exclude<RouteScope, "public">;
  /** ids in the path; a malformed id gets a 404, like an unknown one */
  params?: P;
  query?: Q;
  body?: B;
  /** the body of a success, for the OpenAPI document and the serializer */
  answer?: Schema;
  /** a success other than 200 */
  status?: 201 | 202;
  /** multipart and raw bodies are read by the handler itself */
  consumes?: "multipart";
  /** a repeated Idempotency-Key gets the first response; the handler implements it */
  takesKey?: true;
  /** `If-Match` names the text that a change replaces; the handler checks it */
  takesMatch?: true;
  /** `If-Match` names the version that a save is based on; the handler checks it */
  takesVersion?: true;
  /** byte limit of a JSON body, if lower than the default */
  bodyLimit?: number;
  config?: Record<string, unknown>;
  /** whether a call has its own concurrency limit or waits for an outside service; it then does not count as one of its owner's reads */
  waitsElsewhere?: (query: Out<Q>) => boolean;
  handler: (call: {
    params: Out<P>;
    query: Out<Q>;
    body: Out<B>;
    caller: G extends "public" ? null : Caller;
    request: FastifyRequest;
    reply: FastifyReply;
  }) => Promise<unknown>;
};

/** A route that the OpenAPI page leaves out. */
type Undocumented = { isDocumented: false; media?: never };

/**
 * Concurrent reads of one user in a process: fewer than half of its database sessions, so that a busy program does not slow down other
 * users. A page sends a dozen reads when it opens; they wait a few milliseconds for each other.
 */
const READS = {
  busyWith: "reads",
  atOnce: Infinity,
  eachAtOnce: 4,
  mostWaiting: Infinity,
  eachWaiting: 100,
  waitMs: 20_000,
} as const;

const isReading = (method: unknown): boolean => method === "GET" || method === "HEAD";

/** A response without JSON is a stream, which lasts as long as the client reads it. */
const isRead = <Q>(spec: { method: HTTPMethods; media?: unknown; waitsElsewhere?: (query: Q) => boolean }, query: Q) =>
  isReading(spec.method) && spec.media === undefined && spec.waitsElsewhere?.(query) !== true;

/** Ends a request's work with its response, or with its handler when a stream stays open. */
const endOf = new WeakMap<FastifyRequest, () => void>();

/** Limits the concurrent reads of one user. */
export const createReadLimit = (clock: Pick<Clock, "after">): ConcurrencyLimiter =>
  createConcurrencyLimiter(clock, READS);

/**
 * Registers routes under one access rule set. Each declares its schemas once: validation and OpenAPI read the same.
 * @param reads shared by the routers of one app
 */
export function createRouter(
  app: FastifyInstance,
  access: Access,
  { clock, work }: Pick<Deps, "clock" | "work">,
  reads: ConcurrencyLimiter = createReadLimit(clock),
) {
  app.addHook("onRequest", async (request, reply) => {
    if (endOf.has(request)) return;
    const end = work.begin(`${request.method} ${request.routeOptions.url ?? request.url}`);
    endOf.set(request, end);
    reply.raw.once("close", end);
  });
  return function route<
    G extends Gate,
    P extends Schema | undefined = undefined,
    Q extends Schema | undefined = undefined,
    B extends Schema | undefined = undefined,
  >(spec: RouteSpec<P, Q, B, G>): void {
    const scope = scopeOf(spec);
    const config = { ...spec.config, spec };
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const caller = spec.gate === "public" ? null : await admit(access, request, { gate: spec.gate, scope });
      const params = spec.params === undefined ? undefined : readParams(spec.params, request.params);
      const query = spec.query === undefined ? undefined : parse(spec.query, request.query);
      const body = spec.body === undefined ? undefined : parse(spec.body, request.body ?? {});
      const handle = () => spec.handler({ params, query, body, caller, request, reply } as never);
      const result = await (isRead(spec, query as Out<Q>) && caller !== null ? reads.run(caller.id, handle) : handle());
      // The headers of a stream are sent, so an error response is no longer possible.
      if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return reply;
      if (spec.status !== undefined) void reply.code(spec.status);
      return result ?? { success: true };
    };
    app.route({
      method: spec.method,
      url: spec.url,
      ...(spec.bodyLimit === undefined ? {} : { bodyLimit: spec.bodyLimit }),
      config,
      handler: async (request, reply) => {
        try {
          return await answer(request, reply);
        } finally {
          endOf.get(request)?.();
        }
      },
    });
  };
}
export type Route = ReturnType<typeof createRouter>;

/** @throws when a route does not say who may call it */
function scopeOf({
  method,
  url,
  gate,
  scope,
}: {
  method: unknown;
  url: string;
  gate: Gate;
  scope?: RouteScope;
}): RouteScope {
  if (scope === undefined) throw new Error(`${String(method)} ${url} does not say which scope a key needs for it.`);
  if ((scope === "public") !== (gate === "public"))
    throw new Error(`${String(method)} ${url} is open to anybody by its gate or by its scope, not by both.`);
  return scope;
}

async function admit(
  access: Access,
  request: FastifyRequest,
  { gate, scope }: { gate: Gate; scope: RouteScope },
): Promise<Caller> {
  const caller = await access.authenticate(request);
  access.onCall?.(caller.id);
  request.log = request.log.child({ user: caller.id, ...(caller.key === null ? {} : { key: caller.key.id }) });
  requireScope(caller, scope);
  if (gate === "subscribed" && !(await access.hasSubscription(caller.id))) {
    access.onRefused?.(caller.id);
    throw subscriptionRequired();
  }
  if (gate === "subscribed" && !isReading(request.method)) await access.onWrite?.(caller.id);
  return caller;
}

/** Whether a caller has a scope. Signed-in users have all of them. */
export const hasScope = ({ key }: Pick<Caller, "key">, scope: Scope): boolean =>
  key === null || key.scopes.includes(scope);

/**
 * Allows signed-in users, and keys with the scope or one of several.
 * @throws ProblemError 403 `missing_scope` naming it, `key_not_accepted` when only signed-in users may call
 */
export function requireScope({ key }: Pick<Caller, "key">, scope: RouteScope): void {
  if (key === null || scope === "public") return;
  if (scope === "person") throw refuse(403, "key_not_accepted");
  const enough: readonly Scope[] = typeof scope === "string" ? [scope] : scope;
  if (!enough.some((one) => key.scopes.includes(one))) throw missingScope(enough);
}

function readParams(schema: Schema, params: unknown): unknown {
  const result = v.safeParse(schema, params);
  if (!result.success) throw notFound();
  return result.output;
}

/**
 * Parses input by a schema.
 * @throws ProblemError 422 naming each field at fault
 */
export function parse<S extends Schema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  if (result.success) return result.output;
  const { problems, fields } = fieldProblemsOf(result.issues);
  throw invalidFields(problems, fields);
}

/** Sends a stream. Ends it if the caller has hung up or got an error while it was opened, because nothing will read it. */
export function sendStream(reply: FastifyReply, stream: Readable): FastifyReply {
  if (!reply.sent && !reply.raw.destroyed) return reply.send(stream);
  stream.destroy();
  return reply;
}

/** Returns a signal that aborts when the caller hangs up before the response. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  raw.once("close", () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
