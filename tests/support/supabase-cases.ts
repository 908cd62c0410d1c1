import type { SupabaseClient } from "@supabase/supabase-js";

/** Where the cases run: an address that speaks Supabase's protocols, its public key, and a way to create confirmed users. */
export type Target = {
  client: () => SupabaseClient;
  /** Signs up a new user, confirmed and signed in. */
  person: () => Promise<{ client: SupabaseClient; email: string; password: string; userId: string }>;
};
export type Case = { name: string; run: (target: Target) => Promise<unknown>; expected: unknown };

const shape = ({ status, error }: { status: number; error: { code?: string } | null }) => [status, error?.code ?? null];
const outcome = ({ status }: { status: number }) => (status >= 400 && status < 500 ? "refused" : status);
const authError = ({ error }: { error: { status?: number | undefined; code?: string | undefined } | null }) => [
  error?.status,
  error?.code,
];

/** Everything the product needs from Supabase. Run against the embedded implementation, a proxy of it, and a real project. */
export const supabaseCases: Case[] = [
  {
    name: "a password signs in, a wrong one does not",
    expected: [true, [400, "invalid_credentials"]],
    async run(target) {
      const { email, password, userId } = await target.person();
      const right = await target.client().auth.signInWithPassword({ email, password });
      const wrong = await target.client().auth.signInWithPassword({ email, password: `${password}!` });
      return [right.data.user?.id === userId, authError(wrong)];
    },
  },
  {
    name: "a weak password is refused with its reasons",
    expected: ["AuthWeakPasswordError", 422, ["length"]],
    async run(target) {
      const { error } = await target.client().auth.signUp({ email: `weak.${Date.now()}@example.com`, password: "abc" });
      const { name, status, reasons } = error as unknown as { name: string; status: number; reasons: string[] };
      return [name, status, reasons];
    },
  },
  {
    name: "a refresh gives a new access token of the same session, also twice at once",
    expected: [true, true],
    async run(target) {
      const { client } = await target.person();
      const before = (await client.auth.getSession()).data.session;
      const refresh = () => target.client().auth.refreshSession({ refresh_token: before?.refresh_token ?? "" });
      const [a, b] = await Promise.all([refresh(), refresh()]);
      return [a.error === null && b.error === null, a.data.session?.user.id === before?.user.id];
    },
  },
  {
    name: "a made-up refresh token is refused",
    expected: [400, "refresh_token_not_found"],
    run: async (target) => authError(await target.client().auth.refreshSession({ refresh_token: "made-up" })),
  },
  {
    name: "the user is read and changed by himself",
    expected: [true, { full_name: "Ann B." }],
    async run(target) {
      const { client, userId } = await target.person();
      await client.auth.updateUser({ data: { full_name: "Ann B." } });
      const { data } = await client.auth.getUser();
      return [data.user?.id === userId, { full_name: data.user?.user_metadata["full_name"] as string }];
    },
  },
  {
    name: "signing out ends the session on the server",
    expected: [null, [400, "refresh_token_not_found"]],
    async run(target) {
      const { client } = await target.person();
      const session = (await client.auth.getSession()).data.session;
      const { error } = await client.auth.signOut();
      return [
        error,
        authError(await target.client().auth.refreshSession({ refresh_token: session?.refresh_token ?? "" })),
      ];
    },
  },
  {
    name: "one's own users row: inserted once, read, updated",
    expected: [[201, null], { name: "Ann" }, [409, "23505"], { name: "Ann Lee" }],
    async run(target) {
      const { client, email, userId } = await target.person();
      const row = { id: userId, email, name: "Ann" };
      const inserted = await client.from("users").insert(row);
      const read = await client.from("users").select("name").eq("id", userId).single();
      const again = await client.from("users").insert({ ...row, name: "Bea" });
      const updated = await client.from("users").update({ name: "Ann Lee" }).eq("id", userId).select("name").single();
      return [shape(inserted), read.data, shape(again), updated.data];
    },
  },
  {
    name: "somebody else's row is neither written nor read",
    expected: [[403, "42501"], [], []],
    async run(target) {
      const [ann, bob] = [await target.person(), await target.person()];
      await bob.client.from("users").insert({ id: bob.userId, email: bob.email, name: "Bob" });
      const stolen = await ann.client.from("users").insert({ id: bob.userId, email: ann.email, name: "Bob?" });
      const read = await ann.client.from("users").select().eq("id", bob.userId);
      const written = await ann.client.from("users").update({ name: "mine" }).eq("id", bob.userId).select();
      return [shape(stolen), read.data, written.data];
    },
  },
  {
    name: "without a subscription there is nothing to read but that there is none",
    expected: [0, 0, 0, null, null],
    async run(target) {
      const { client, userId } = await target.person();
      const count = async (table: string, owner: string) =>
        (await client.from(table).select("id", { count: "exact", head: true }).eq(owner, userId)).count ?? 0;
      const last = await client
        .from("leads")
        .select("created_at")
        .eq("owner_id", userId)
        .order("created_at", { ascending: false })
        .limit(1)
        .maybeSingle();
      const subscription = await client.from("subscriptions").select().eq("user_id", userId).maybeSingle();
      return [
        await count("leads", "owner_id"),
        await count("stages", "owner_id"),
        await count("telegram_sessions", "user_id"),
        last.data,
        subscription.data,
      ];
    },
  },
  {
    name: "a subscription is neither granted, changed nor deleted by its user",
    expected: ["refused", "refused", "refused"],
    async run(target) {
      const { client, userId } = await target.person();
      const table = () => client.from("subscriptions");
      return [
        outcome(await table().insert({ user_id: userId, status: "active" })),
        outcome(await table().update({ status: "active" }).eq("user_id", userId)),
        outcome(await table().delete().eq("user_id", userId)),
      ];
    },
  },
  {
    name: "without signing in no row is read or written",
    expected: [
      [401, "42501"],
      [401, "42501"],
    ],
    async run(target) {
      const client = target.client();
      return [
        shape(await client.from("subscriptions").select()),
        shape(await client.from("users").insert({ id: crypto.randomUUID(), email: "x@example.com", name: "x" })),
      ];
    },
  },
  {
    name: "what the page does not ask for is refused with PostgREST's codes",
    expected: ["refused", "refused", [400, "PGRST204"], [406, "PGRST116"]],
    async run(target) {
      const { client, userId } = await target.person();
      return [
        outcome(await client.from("leads").select("notes")),
        outcome(await client.from("nothing_here").select()),
        shape(await client.from("users").insert({ id: userId, email: "x@example.com", nothing_here: 1 })),
        shape(await client.from("subscriptions").select().single()),
      ];
    },
  },
];
