import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { isDatabaseUnavailable } from "../core/errors.ts";
import { ProblemError } from "../core/problem.ts";

/** An error in PostgREST's format. */
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

export const noSuchCall = () =>
  new RestProblem(
    404,
    "PGRST125",
    "Invalid path specified in request URL",
    null,
    "Only the calls of the page are answered here. Programs use /api.",
  );
export const notOwn = (table: string) =>
  new RestProblem(403, "42501", `new row violates row-level security policy for table "${table}"`);
export const alreadyThere = (table: string) =>
  new RestProblem(409, "23505", `duplicate key value violates unique constraint "${table}_pkey"`);

/** Errors of column constraints, with PostgREST's messages. */
function fromDatabase(error: FastifyError): RestProblem | null {
  if (!/^2[23][0-9A-Z]{3}$/.test(error.code)) return null;
  const { code, message, detail = null } = error as FastifyError & { detail?: string };
  return new RestProblem(400, code, message, detail);
}

function fromProblem({ status, code, message }: ProblemError): RestProblem {
  if (status !== 401) return new RestProblem(status, code, message);
  return code === "token_expired"
    ? new RestProblem(401, "PGRST303", "JWT expired")
    : new RestProblem(401, "PGRST301", message);
}

function toRestProblem(error: FastifyError | RestProblem | ProblemError): RestProblem {
  if (error instanceof RestProblem) return error;
  if (error instanceof ProblemError) return fromProblem(error);
  if (isDatabaseUnavailable(error))
    return new RestProblem(503, "PGRST002", "The database cannot be reached right now. Try again in a few seconds.");
  const refused = fromDatabase(error);
  if (refused !== null) return refused;
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new RestProblem(status, "PGRST102", "The request could not be read.");
  return new RestProblem(500, "PGRSTX00", "Something went wrong on our side. Please try again.");
}

/** Responds to every error below /rest/v1 with `{code, details, hint, message}`. */
export function answerRestProblem(
  error: FastifyError | RestProblem | ProblemError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { status, code, details, hint, message } = toRestProblem(error);
  if (status >= 500 && status !== 503) request.log.error({ err: error }, "data call failed");
  if (status === 503) void reply.header("retry-after", "5");
  if (error instanceof ProblemError) void reply.headers(error.headers);
  return reply.code(status).send({ code, details, hint, message });
}
