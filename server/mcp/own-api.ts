import type { FastifyInstance, FastifyRequest } from "fastify";
import * as v from "valibot";
import { Problem } from "../../domain/problem.ts";
import { ProblemError } from "../core/problem.ts";

type RequestOptions = {
  query?: Record<string, string | readonly string[] | undefined>;
  body?: object;
  headers?: Record<string, string>;
};

/** Calls the product's own API with the caller's key: scopes, gates and limits apply. */
export type OwnApi = {
  /** @throws ProblemError the API's refusal */
  ask<S extends v.GenericSchema>(
    answer: S,
    method: "GET" | "POST" | "PUT" | "PATCH",
    path: string,
    options?: RequestOptions,
  ): Promise<v.InferOutput<S>>;
};

/** Calls the routes of this process, without a socket. */
export const createOwnApi = (app: FastifyInstance, { headers: { authorization }, ip }: FastifyRequest): OwnApi => ({
  async ask(answer, method, path, { query = {}, body, headers = {} } = {}) {
    const response = await app.inject({
      method,
      url: `${path}?${searchOf(query).toString()}`,
      remoteAddress: ip,
      headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    if (response.statusCode >= 400)
      throw refusalOf(response.statusCode, response.body, response.headers["retry-after"]);
    return read(answer, response.json());
  },
});

/** Parses a response. The error names the path but not the value, which may be a lead's text. */
function read<S extends v.GenericSchema>(schema: S, answer: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, answer);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`An API response does not match its schema at ${v.getDotPath(issue) ?? "its root"} (${issue.type}).`);
}

function searchOf(query: NonNullable<RequestOptions["query"]>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value ?? []].flat()) search.append(name, one);
  return search;
}

function refusalOf(status: number, text: string, retryAfter: unknown): ProblemError {
  const { message, code, params, fields } = read(v.pipe(v.string(), v.parseJson(), Problem), text);
  const seconds = Number(retryAfter);
  return new ProblemError(status, code, message, {
    ...(params === undefined ? {} : { params }),
    ...(fields === undefined ? {} : { fields }),
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
  });
}
