import { PostgrestClient } from "@supabase/postgrest-js";
import * as v from "valibot";
import { Subscription } from "../../domain/subscription.ts";
import type { Auth } from "./auth.ts";
import { ANON_KEY } from "./anon-key.ts";
import { isSameUser } from "./session-store.ts";

export type DataGateway = ReturnType<typeof createOwnData>;

type Owner = "owner_id" | "user_id";

const StatusRows = v.array(v.object({ status: v.optional(v.nullable(v.string()), null) }));
const LeadRows = v.array(v.object({ created_at: v.nullable(v.string()) }));

/** Reads and writes the user's own rows through /rest/v1. Rejects with the server's error. */
export function createOwnData(auth: Pick<Auth, "accessToken" | "refresh">) {
  // The client would retry reads by itself, which would delay a failure.
  const client = new PostgrestClient(`${window.location.origin}/rest/v1`, { retry: false, fetch: fetchAs(auth) });
  const count = async (table: string, owner: Owner, id: string, signal: AbortSignal, since?: string) => {
    const rows = client.from(table).select("id", { count: "exact", head: true }).eq(owner, id);
    const { count: total, error } = await (since === undefined ? rows : rows.gte("created_at", since)).abortSignal(
      signal,
    );
    if (error) throw error;
    if (total === null) throw new Error(`${table} were not counted`); // how the client words a failed HEAD
    return total;
  };
  const newest = async (table: string, column: string, owner: Owner, id: string, signal: AbortSignal) => {
    const { data, error } = await client
      .from(table)
      .select(column)
      .eq(owner, id)
      .order("created_at", { ascending: false })
      .limit(1)
      .abortSignal(signal);
    if (error) throw error;
    return data;
  };

  return {
    async fetchSubscription(userId: string, signal: AbortSignal): Promise<Subscription | null> {
      const { data, error } = await client
        .from("subscriptions")
        .select("*")
        .eq("user_id", userId)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return data === null ? null : v.parse(Subscription, data);
    },
    /** Returns the newest subscription's status. */
    fetchNewestStatus: async (userId: string, signal: AbortSignal): Promise<string | null> =>
      v.parse(StatusRows, await newest("subscriptions", "status", "user_id", userId, signal))[0]?.status ?? null,
    async insertProfile(profile: { id: string; email: string; name: string }): Promise<void> {
      const { error } = await client.from("users").insert(profile);
      if (error) throw error;
    },
    countLeadsSince: (ownerId: string, since: string, signal: AbortSignal) =>
      count("leads", "owner_id", ownerId, signal, since),
    countStages: (ownerId: string, signal: AbortSignal) => count("stages", "owner_id", ownerId, signal),
    countTelegramSessions: (userId: string, signal: AbortSignal) =>
      count("telegram_sessions", "user_id", userId, signal),
    /** `created_at` of the newest lead, or null when there is no lead. */
    fetchLastLeadTime: async (ownerId: string, signal: AbortSignal): Promise<string | null> =>
      v.parse(LeadRows, await newest("leads", "created_at", "owner_id", ownerId, signal))[0]?.created_at ?? null,
  };
}

const EXPIRED_CODES = ["token_expired", "PGRST301", "PGRST303"];

/** Adds the access token to the browser's fetch. A request refused for an expired token is retried once with a renewed one. */
function fetchAs(auth: Pick<Auth, "accessToken" | "refresh">): typeof fetch {
  return async (input, init) => {
    const send = (token: string | null) => {
      const headers = new Headers(init?.headers);
      headers.set("apikey", ANON_KEY);
      headers.set("Authorization", `Bearer ${token ?? ANON_KEY}`);
      return fetch(input, { ...init, headers });
    };
    const token = auth.accessToken();
    const answer = await send(token);
    if (answer.status !== 401 || token === null || !(await isExpiry(answer.clone()))) return answer;
    const renewed = await auth.refresh();
    return renewed !== null && isSameUser(token, renewed) ? send(renewed) : answer;
  };
}

async function isExpiry(answer: Response): Promise<boolean> {
  const body: unknown = await answer.json().catch(() => null);
  return typeof body === "object" && body !== null && "code" in body && EXPIRED_CODES.includes(String(body.code));
}
