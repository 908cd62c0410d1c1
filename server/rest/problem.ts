import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { isDatabaseAway } from "../core/errors.ts";
import { ProblemError } from "../core/problem.ts";

/** A refusal in PostgREST's shape. */
export class RestProblem extends Error {
  override readonly name = "RestProblem";
  readonly status: number;
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;

  constructor(
    status: number,
    code: string,
    message: string,
    details: string | null = null,
    hint: string | null = null,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.hint = hint;
  }
}

export const badQuery = (message: string) => new RestProblem(400, "PGRST100", message);

type DatabaseError = { code: string; message: string; detail?: string; hint?: string };
const asDatabaseError = (error: { code?: unknown }): DatabaseError | null =>
  typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code) ? (error as DatabaseError) : null;

/** PostgREST's own table of statuses; a missing right is 401 for who is not signed in, 403 for who is. */
function statusOf(code: string, isAnonymous: boolean): number {
  if (code === "42501") return isAnonymous ? 401 : 403;
  if (code === "23503" || code === "23505") return 409;
  if (code === "42P01") return 404;
  if (code === "57014") return 504;
  return /^(22|23|42|P0)/.test(code) ? 400 : 500;
}

function toRestProblem(error: FastifyError | RestProblem | ProblemError, isAnonymous: boolean): RestProblem {
  if (error instanceof RestProblem) return error;
  if (error instanceof ProblemError) return fromProblem(error);
  if (isDatabaseAway(error)) {
    return new RestProblem(503, "PGRST002", "The database cannot be reached right now. Try again in a few seconds.");
  }
  const refused = asDatabaseError(error);
  if (refused !== null) {
    const { code, message, detail, hint } = refused;
    return new RestProblem(statusOf(code, isAnonymous), code, message, detail ?? null, hint ?? null);
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new RestProblem(status, "PGRST102", "The request could not be read.");
  return new RestProblem(500, "PGRSTX00", "Something went wrong on our side. Please try again.");
}

function fromProblem({ status, code, message }: ProblemError): RestProblem {
  if (status !== 401) return new RestProblem(status, code, message);
  return code === "token_expired"
    ? new RestProblem(401, "PGRST303", "JWT expired")
    : new RestProblem(401, "PGRST301", message);
}

/** Answers every failure below /rest/v1 as `{code, details, hint, message}`. */
export function answerRestProblem(
  error: FastifyError | RestProblem | ProblemError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { status, code, details, hint, message } = toRestProblem(error, request.restClaims?.role !== "authenticated");
  if (status >= 500 && status !== 503) request.log.error({ err: error }, "data call failed");
  if (status === 503) void reply.header("retry-after", "5");
  return reply.code(status).send({ code, details, hint, message });
}
