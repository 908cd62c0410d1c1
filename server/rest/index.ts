import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import * as v from "valibot";
import type { ConcurrencyLimiter } from "../core/concurrency.ts";
import type { Access, Deps } from "../core/deps.ts";
import { registerJsonParser } from "../core/json.ts";
import { createReadLimit, createRouter } from "../core/routes.ts";
import { addFirstStage } from "../stages/rules.ts";
import {
  LeadCount,
  NewestLead,
  Profile,
  ProfileChange,
  SessionCount,
  StageCount,
  SubscriptionRow,
  UsersRow,
} from "./calls.ts";
import { alreadyThere, answerRestProblem, noSuchCall, notOwn, RestProblem } from "./problem.ts";

type Call = { request: FastifyRequest; reply: FastifyReply };

/**
 * Mounts /rest/v1: only the few PostgREST calls that the browser makes through supabase-js, behind the gate and limits of every route. In
 * both sign-in modes the rows are in this database, so no call is proxied to Supabase.
 */
export function registerRest(
  app: FastifyInstance,
  deps: Pick<Deps, "config" | "db" | "clock" | "work">,
  access: Access,
  reads: ConcurrencyLimiter = createReadLimit(deps.clock),
): void {
  const { config, db } = deps;
  const authenticate: Access["authenticate"] = async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined || authorization === `Bearer ${config.auth.anonKey}`)
      throw new RestProblem(401, "42501", "Sign in first.");
    return access.authenticate(request);
  };
  const signedIn = { gate: "signedIn", scope: "person", isDocumented: false } as const;
  const subscribed = { gate: "subscribed", scope: "person", isDocumented: false } as const;

  app.register(
    async (scope) => {
      registerJsonParser(scope);
      scope.setErrorHandler(answerRestProblem);
      scope.setNotFoundHandler(() => {
        throw noSuchCall();
      });
      const route = createRouter(scope, { ...access, authenticate }, deps, reads);

      route({
        ...signedIn,
        method: "GET",
        url: "/subscriptions",
        handler: async ({ caller, request, reply }) => {
          const { select, user_id: owner = caller.id } = readQuery(SubscriptionRow, request);
          const rows = db.selectFrom("subscriptions").select(select).where("user_id", "=", caller.id);
          return sendRows({ request, reply }, owner === caller.id ? await rows.execute() : []);
        },
      });

      route({
        ...signedIn,
        method: "GET",
        url: "/users",
        handler: async ({ caller, request, reply }) => {
          const { select, id = caller.id } = readQuery(UsersRow, request);
          const rows = db.selectFrom("users").select(select).where("id", "=", caller.id);
          return sendRows({ request, reply }, id === caller.id ? await rows.execute() : []);
        },
      });
      route({
        ...signedIn,
        method: "POST",
        url: "/users",
        handler: async ({ caller, request, reply }) => {
          const { select } = readQuery(UsersRow, request);
          const profile = readBody(Profile, request);
          if (profile.id !== caller.id) throw notOwn("users");
          // Supabase's first call may have created the row from the sign-up metadata, so an existing row is no conflict.
          const rows = await db
            .insertInto("users")
            .values(profile)
            .onConflict((taken) =>
              taken
                .column("id")
                .doUpdateSet({ name: profile.name })
                .where("users.name", "=", profile.name)
                .where("users.email", "=", profile.email),
            )
            .returning(select)
            .execute();
          if (rows.length === 0) throw alreadyThere("users");
          void reply.code(201);
          return wantsRows(request) ? sendRows({ request, reply }, rows) : reply.send();
        },
      });
      route({
        ...signedIn,
        method: "PATCH",
        url: "/users",
        handler: async ({ caller, request, reply }) => {
          const { select, id = caller.id } = readQuery(UsersRow, request);
          const change = readBody(ProfileChange, request);
          if (change.id !== undefined && change.id !== caller.id) throw notOwn("users");
          const update = db
            .updateTable("users")
            .set({ id, ...change })
            .where("id", "=", caller.id)
            .returning(select);
          const rows = id === caller.id ? await update.execute() : [];
          return wantsRows(request) ? sendRows({ request, reply }, rows) : reply.code(204).send();
        },
      });

      // Registered before its GET, whose automatic HEAD would not count.
      route({
        ...subscribed,
        method: "HEAD",
        url: "/leads",
        handler: async ({ caller, request, reply }) => {
          const { owner_id: owner = caller.id, created_at: since = "-infinity" } = readQuery(LeadCount, request);
          const leads = db
            .selectFrom("leads")
            .select(sql<number>`count(*)::int`.as("total"))
            .where("owner_id", "=", caller.id)
            .where("created_at", ">=", since);
          return sendCount(reply, owner === caller.id ? await leads.executeTakeFirst() : undefined);
        },
      });
      route({
        ...subscribed,
        method: "GET",
        url: "/leads",
        handler: async ({ caller, request, reply }) => {
          const { select, owner_id: owner = caller.id } = readQuery(NewestLead, request);
          const newest = db
            .selectFrom("leads")
            .select(select)
            .where("owner_id", "=", caller.id)
            .orderBy("created_at", "desc")
            .limit(1);
          return sendRows({ request, reply }, owner === caller.id ? await newest.execute() : []);
        },
      });
      route({
        ...subscribed,
        method: "HEAD",
        url: "/stages",
        handler: async ({ caller, request, reply }) => {
          const { owner_id: owner = caller.id } = readQuery(StageCount, request);
          if (owner !== caller.id) return sendCount(reply);
          const count = () =>
            db
              .selectFrom("stages")
              .select(sql<number>`count(*)::int`.as("total"))
              .where("owner_id", "=", caller.id)
              .executeTakeFirstOrThrow();
          const counted = await count();
          const isNew = counted.total === 0 && (await addFirstStage(db, caller.id));
          return sendCount(reply, isNew ? await count() : counted);
        },
      });
      route({
        ...subscribed,
        method: "HEAD",
        url: "/telegram_sessions",
        handler: async ({ caller, request, reply }) => {
          const { user_id: owner = caller.id } = readQuery(SessionCount, request);
          const sessions = db
            .selectFrom("telegram_sessions")
            .select(sql<number>`count(*)::int`.as("total"))
            .where("user_id", "=", caller.id)
            .where("state", "=", "connected");
          return sendCount(reply, owner === caller.id ? await sessions.executeTakeFirst() : undefined);
        },
      });
    },
    { prefix: "/rest/v1" },
  );
}

/** @throws RestProblem 404 for parameters that the browser does not send */
function readQuery<S extends v.GenericSchema>(schema: S, request: FastifyRequest): v.InferOutput<S> {
  const result = v.safeParse(schema, request.query);
  if (!result.success) throw noSuchCall();
  return result.output;
}

/**
 * Reads the one row of a body, alone or in a list.
 * @throws RestProblem 400 naming the column that is unknown or not text
 */
function readBody<S extends v.GenericSchema>(schema: S, { body }: FastifyRequest): v.InferOutput<S> {
  const result = v.safeParse(schema, Array.isArray(body) && body.length === 1 ? body[0] : body);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const column = v.getDotPath(issue);
  if (column === null) throw new RestProblem(400, "PGRST102", "The body must be one row, as a JSON object.");
  if (issue.expected === "never")
    throw new RestProblem(400, "PGRST204", `Could not find the '${column}' column of 'users' in the schema cache`);
  throw new RestProblem(400, "PGRST102", `The column '${column}' must be given as text.`);
}

const OBJECT = "application/vnd.pgrst.object+json";

/** Sends rows as a list, or as one object for `single()`. */
function sendRows({ request, reply }: Call, rows: object[]): FastifyReply {
  if (request.headers.accept?.includes(OBJECT) !== true) return reply.send(rows);
  if (rows.length === 1) return reply.type(`${OBJECT}; charset=utf-8`).send(JSON.stringify(rows[0]));
  throw new RestProblem(
    406,
    "PGRST116",
    "Cannot coerce the result to a single JSON object",
    `The result contains ${rows.length} rows`,
  );
}

/** True if a write must return its rows. */
const wantsRows = ({ headers }: FastifyRequest): boolean => String(headers["prefer"]).includes("return=representation");

/** Responds to a HEAD request with the number of rows. */
function sendCount(reply: FastifyReply, { total } = { total: 0 }): FastifyReply {
  return reply.header("content-range", `${total === 0 ? "*" : `0-${total - 1}`}/${total}`).send();
}
