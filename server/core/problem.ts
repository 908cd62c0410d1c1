import type { Scope } from "../../domain/api-key.ts";
import type { FieldProblem } from "../../domain/field-problems.ts";
import { PROBLEM_MESSAGES, type ProblemCode } from "../../domain/problem-messages.ts";
import type { Problem } from "../../domain/problem.ts";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { inEnglish } from "./english.ts";

/** An error with an answer for the caller: what happened and what to do. Thrown anywhere below a route. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string> | undefined;
  readonly current: unknown;
  readonly params: Problem["params"];
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: {
      fields?: Record<string, string>;
      params?: Problem["params"];
      retryAfterSeconds?: number;
      current?: unknown;
      version?: string;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = extra.fields;
    this.current = extra.current;
    this.params = extra.params;
    this.headers = {
      ...(extra.retryAfterSeconds === undefined
        ? {}
        : { "retry-after": String(Math.max(1, Math.ceil(extra.retryAfterSeconds))) }),
      ...(extra.version === undefined ? {} : { etag: extra.version }),
    };
  }

  toJSON(): Problem {
    return {
      message: this.message,
      code: this.code,
      ...(this.params === undefined ? {} : { params: this.params }),
      ...(this.fields === undefined ? {} : { fields: this.fields }),
      ...(this.current === undefined ? {} : { current: this.current }),
    };
  }
}

type Messages = typeof PROBLEM_MESSAGES;
type Extra = NonNullable<ConstructorParameters<typeof ProblemError>[3]>;
/** The parameters of a code's message, and what else the answer carries. */
type Given<Code extends ProblemCode, More> =
  Parameters<Messages[Code]> extends [infer Params] ? [params: Params, more?: More] : [params?: null, more?: More];

const messageOf = <Code extends ProblemCode>(code: Code, params: unknown): string =>
  inEnglish((PROBLEM_MESSAGES[code] as (params: unknown) => UiTextOrString)(params));

/** Builds the error of a code: its message from the table, with the parameters that the message names. */
export function refuse<Code extends ProblemCode>(
  status: number,
  code: Code,
  ...[params, extra = {}]: Given<Code, Extra>
): ProblemError {
  return new ProblemError(
    status,
    code,
    messageOf(code, params),
    params == null ? extra : { ...extra, params: { ...params } },
  );
}

/**
 * Refuses one value of a request as `invalid_input`, with a sentence of its own.
 * @param field its name, `body` for the whole request
 * @param code names the sentence under `params.problems`
 * @param given the sentence's parameters, and the short sentence that `fields` holds; without one the answer has no `fields`
 */
export function refuseInput<Code extends ProblemCode>(
  field: string,
  code: Code,
  ...[params, short]: Given<Code, string>
): ProblemError {
  return new ProblemError(422, "invalid_input", messageOf(code, params), {
    ...(short === undefined ? {} : { fields: { [field]: short } }),
    params: { problems: [{ field, code, params: params ?? {} }] },
  });
}

/** The same answer for an id that does not exist, is malformed, or belongs to someone else. */
export const notFound = () => refuse(404, "not_found");
export const unauthorized = (code = "unauthorized", message = "Sign in to go on.") =>
  new ProblemError(401, code, message);
export const subscriptionRequired = () => refuse(402, "subscription_required");
export const missingScope = (scopes: readonly Scope[]) => refuse(403, "missing_scope", { scopes });
export const conflict = (code: string, message: string, fields?: Record<string, string>) =>
  new ProblemError(409, code, message, fields === undefined ? {} : { fields });
/** A name that something else of the kind has already. */
export const nameTaken = (noun: string) => {
  const words = `Another ${noun} has that name already. Choose a different one.`;
  return conflict(`${noun}_name_taken`, words, { name: words });
};
export const invalid = (message: string, fields?: Record<string, string>, code = "invalid_input") =>
  new ProblemError(422, code, message, fields === undefined ? {} : { fields });
/** Refuses a request for fields at fault. The message is about the first of them. */
export function invalidFields(problems: readonly FieldProblem[], fields: Record<string, string>): ProblemError {
  const field = problems[0]?.field ?? "body";
  const message = `${field}: ${fields[field]}`;
  return new ProblemError(422, "invalid_input", message, { fields, params: { problems } });
}
export const tooMany = (message: string, retryAfterSeconds: number, code = "too_many_requests") =>
  new ProblemError(429, code, message, { retryAfterSeconds });
export const restarting = () => refuse(503, "restarting", null, { retryAfterSeconds: 2 });
