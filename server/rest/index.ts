import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { registerSupabaseProxy } from "../auth/index.ts";
import type { Access, Deps } from "../core/deps.ts";
import { registerJsonParser } from "../core/json.ts";
import { asUser, type Claims } from "../db/index.ts";
import { readCatalog, type Catalog, type Table } from "./catalog.ts";
import { answerRestProblem, badQuery, RestProblem } from "./problem.ts";
import { readColumns, readInsertColumns, readQuery, readWhere } from "./query.ts";
import { countRows, insert, remove, select, update, type Conflict, type Result } from "./statements.ts";

declare module "fastify" {
  interface FastifyRequest {
    restClaims?: Claims;
  }
}

type Call = { request: FastifyRequest; reply: FastifyReply; table: Table; query: URLSearchParams; prefer: string };

/**
 * Mounts /rest/v1, the part of PostgREST that supabase-js needs here. Every call runs in one transaction as the caller, so
 * that grants and row policies decide what is seen and written.
 */
export function registerRest(app: FastifyInstance, deps: Deps, authenticate: Access["authenticate"]): void {
  const { auth } = deps.config;
  if (auth.kind === "supabase") return registerSupabaseProxy(app, auth, "/rest/v1");
  let catalog: Promise<Catalog> | null = null;
  const tableOf = async (name: string) => {
    catalog ??= readCatalog(deps.db).catch((error: unknown) => {
      catalog = null;
      throw error;
    });
    const found = (await catalog).get(name);
    if (found !== undefined) return found;
    throw new RestProblem(404, "PGRST205", `Could not find the table 'public.${name}' in the schema cache`);
  };

  /** No token, or the public key in its place, is nobody; anything else must be a good access token. */
  const claimsOf = async (request: FastifyRequest): Promise<Claims> => {
    const { authorization } = request.headers;
    if (authorization === undefined || authorization === `Bearer ${auth.anonKey}`) return { role: "anon" };
    return (await authenticate(authorization)).claims;
  };

  const read = async (call: Call, claims: Claims) => {
    const query = readQuery(call.table, call.query);
    const wantsCount = call.prefer.includes("count=exact");
    const isHead = call.request.method === "HEAD";
    const { result, total } = await asUser(deps.db, claims, async (tx) => ({
      total: wantsCount ? await countRows(tx, call.table.name, query.where) : null,
      result: isHead ? null : await select(tx, call.table.name, query),
    }));
    const count = result?.count ?? Math.max(0, Math.min(query.limit, (total ?? 0) - query.offset));
    const range = count === 0 ? "*" : `${query.offset}-${query.offset + count - 1}`;
    void call.reply.header("content-range", `${range}/${total ?? "*"}`);
    return sendRows(call, 200, result);
  };

  const write = async (call: Call, claims: Claims) => {
    const { table, query, prefer, request } = call;
    const wantsRows = prefer.includes("return=representation");
    const returning = wantsRows ? readColumns(table, query.get("select") ?? undefined) : null;
    const where = readWhere(table, query);
    if (request.method === "DELETE") {
      const removed = await asUser(deps.db, claims, (tx) => remove(tx, table.name, where, returning));
      return sendRows(call, wantsRows ? 200 : 204, wantsRows ? removed : null);
    }
    const rows = readRows(request.body);
    const names = readInsertColumns(table, query, rows);
    const change = { name: table.name, columns: names, rows, returning };
    if (request.method === "PATCH") {
      if (names.length === 0) return sendRows(call, wantsRows ? 200 : 204, wantsRows ? { json: "[]", count: 0 } : null);
      const updated = await asUser(deps.db, claims, (tx) => update(tx, change, where));
      return sendRows(call, wantsRows ? 200 : 204, wantsRows ? updated : null);
    }
    const inserted = await asUser(deps.db, claims, (tx) => insert(tx, change, readConflict(call)));
    return sendRows(call, 201, wantsRows ? inserted : null);
  };

  app.register(
    async (scope) => {
      registerJsonParser(scope);
      scope.setErrorHandler(answerRestProblem);
      scope.setNotFoundHandler(() => {
        throw new RestProblem(404, "PGRST125", "Invalid path specified in request URL");
      });
      scope.route<{ Params: { table: string } }>({
        method: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
        url: "/:table",
        handler: async (request, reply) => {
          const claims = await claimsOf(request);
          request.restClaims = claims;
          const table = await tableOf(request.params.table);
          const query = new URL(request.url, "http://localhost").searchParams;
          const prefer = [request.headers["prefer"] ?? []].flat().join(",");
          const call = { request, reply, table, query, prefer };
          return request.method === "GET" || request.method === "HEAD" ? read(call, claims) : write(call, claims);
        },
      });
    },
    { prefix: "/rest/v1" },
  );
}

function readRows(body: unknown): Record<string, unknown>[] {
  const rows = Array.isArray(body) ? body : [body];
  if (rows.every((row) => typeof row === "object" && row !== null && !Array.isArray(row))) {
    return rows as Record<string, unknown>[];
  }
  throw new RestProblem(400, "PGRST102", "Empty or invalid json");
}

function readConflict({ prefer, query, table }: Call): Conflict | null {
  const resolution = /resolution=(merge|ignore)-duplicates/.exec(prefer)?.[1] as Conflict["resolution"] | undefined;
  if (resolution === undefined) return null;
  const keys = query.get("on_conflict")?.split(",") ?? table.primaryKey;
  if (keys.length === 0 || keys.some((key) => !table.columns.has(key))) throw badQuery("on_conflict names no key.");
  return { keys, resolution };
}

/** Sends rows as a list, or as the one object that `single()` asks for. */
function sendRows({ request, reply }: Call, status: number, result: Result | null): FastifyReply {
  if (result === null) return reply.code(status).send();
  const wantsOne = request.headers.accept?.includes("application/vnd.pgrst.object+json") ?? false;
  if (wantsOne && result.count !== 1) {
    throw new RestProblem(
      406,
      "PGRST116",
      "Cannot coerce the result to a single JSON object",
      `The result contains ${result.count} rows`,
    );
  }
  const text = wantsOne ? result.json.slice(1, -1) : result.json;
  const type = wantsOne ? "application/vnd.pgrst.object+json" : "application/json";
  return reply.code(status).type(`${type}; charset=utf-8`).send(text);
}
