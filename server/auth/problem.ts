import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { isDatabaseAway, isUnstorable } from "../core/errors.ts";
import { ProblemError } from "../core/problem.ts";

/** A refusal in the shape GoTrue gives it, which supabase-js turns into an AuthApiError. */
export class AuthProblem extends Error {
  override readonly name = "AuthProblem";
  readonly status: number;
  readonly code: string;
  readonly extra: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { extra?: Record<string, unknown>; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = more.extra ?? {};
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}

/** Supabase's half does not answer. */
export const signInAway = () =>
  new ProblemError(
    503,
    "sign_in_away",
    "The sign-in service cannot be reached right now. Try again in a few seconds.",
    { retryAfterSeconds: 5 },
  );

export const validationFailed = (message: string) => new AuthProblem(400, "validation_failed", message);

function toAuthProblem(error: FastifyError | AuthProblem | ProblemError): AuthProblem {
  if (error instanceof AuthProblem) return error;
  if (error instanceof ProblemError) {
    const wait = error.headers["retry-after"];
    return new AuthProblem(
      error.status,
      error.code,
      error.message,
      wait === undefined ? {} : { retryAfterSeconds: Number(wait) },
    );
  }
  if (isDatabaseAway(error)) {
    return new AuthProblem(
      503,
      "database_away",
      "The database cannot be reached right now. Try again in a few seconds.",
      {
        retryAfterSeconds: 5,
      },
    );
  }
  if (isUnstorable(error)) return validationFailed("The request holds a value that cannot be stored.");
  // A NUL or half a character, which Postgres stores nowhere.
  if (error.code === "22021" || error.code === "22P05")
    return validationFailed("The request holds characters that cannot be stored.");
  const status = error.statusCode ?? 500;
  if (status === 413) return new AuthProblem(413, "validation_failed", "That is larger than this call accepts.");
  if (status === 503)
    return new AuthProblem(503, "unexpected_failure", "The server is busy. Try again in a few seconds.", {
      retryAfterSeconds: 5,
    });
  if (status >= 400 && status < 500)
    return new AuthProblem(400, "bad_json", "The request could not be read. Send valid JSON.");
  return new AuthProblem(500, "unexpected_failure", "Something went wrong on our side. Please try again.");
}

/** Answers every failure below /auth/v1 as `{code, error_code, msg}`. */
export function answerAuthProblem(
  error: FastifyError | AuthProblem | ProblemError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const problem = toAuthProblem(error);
  if (problem.status >= 500 && problem.status !== 503) request.log.error({ err: error }, "sign-in call failed");
  if (problem.retryAfterSeconds !== null)
    void reply.header("retry-after", String(Math.ceil(problem.retryAfterSeconds)));
  return reply
    .code(problem.status)
    .send({ code: problem.status, error_code: problem.code, msg: problem.message, ...problem.extra });
}
