import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ReadAborted } from "../db/index.ts";
import { overloaded, ProblemError, refuse, refuseInput } from "./problem.ts";

/** nginx's status for a caller who hangs up before the response. */
const GIVEN_UP = 499;

const DATABASE_AWAY = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "57P01",
  "57P02",
  "57P03",
  "08000",
  "08001",
  "08003",
  "08006",
  "53300",
  // Deadlock: Postgres rolled this transaction back, so it can be retried.
  "40P01",
  "40001",
  // A statement, a lock or a transaction exceeded the limits of the session.
  "57014",
  "55P03",
  "25P03",
]);

/** True when the database is unavailable, not the query wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === "string" && DATABASE_AWAY.has(code)) return true;
  return (
    typeof message === "string" &&
    /Connection terminated|Query read timeout|timeout exceeded when trying to connect|connection is closed|Client was closed|Client has encountered a connection error/i.test(
      message,
    )
  );
}

/** Values that Postgres refuses as text though JSON carries them: a NUL, a lone surrogate. */
export const isUnstorable = (error: unknown): boolean => {
  const code = (error as { code?: unknown }).code;
  return code === "22021" || code === "22P05" || code === "22003" || code === "22P02";
};

function toProblem(error: FastifyError | ProblemError): ProblemError {
  if (error instanceof ProblemError) return error;
  // The client has gone: this response is only counted in the metrics.
  if (error instanceof ReadAborted) return refuse(GIVEN_UP, "bad_request", { reason: "given_up" });
  if (isDatabaseUnavailable(error)) {
    return refuse(503, "database_away", null, { retryAfterSeconds: 5 });
  }
  if (isUnstorable(error)) return refuseInput("body", "value_unstorable");
  const status = error.statusCode ?? 500;
  if (status === 413) return refuse(413, "too_large", { reason: "body" });
  if (status === 415) return refuse(415, "unsupported_media_type", { reason: "json" });
  if (status === 429) return refuse(429, "too_many_requests", { reason: "requests" });
  if (status === 503) return overloaded();
  if (status >= 400 && status < 500) return refuse(400, "bad_request", { reason: "unreadable" });
  return refuse(500, "internal_error");
}

/** Answers every failure in the API's error format. Only server faults are logged as errors. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | ProblemError, request: FastifyRequest, reply: FastifyReply) => {
    const problem = toProblem(error);
    if (problem.status >= 500 && problem.status !== 503) request.log.error({ err: error }, "request failed");
    else if (problem.status === 503) request.log.warn({ err: { message: error.message } }, "answered 503");
    return reply.code(problem.status).headers(problem.headers).send(problem.toJSON());
  });
}
