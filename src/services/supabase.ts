import type { GoTrueClient } from "@supabase/auth-js";
import { ANON_KEY } from "./anon-key.ts";
import { jsonOrText } from "./prefetched.ts";
import type { SafeStorage } from "./storage.ts";

/**
 * Loads Supabase's own auth client on the page's origin, with the session in the client's default place.
 * @param noteRefusal receives each refusal's body: the client's errors leave its parameters out
 */
export async function loadAuthClient(
  storageKey: string,
  storage: SafeStorage,
  noteRefusal: (body: unknown) => void,
): Promise<GoTrueClient> {
  const { GoTrueClient: Client } = await import("@supabase/auth-js");
  return new Client({
    url: `${window.location.origin}/auth/v1`,
    headers: { apikey: ANON_KEY, Authorization: `Bearer ${ANON_KEY}` },
    storageKey,
    storage: { getItem: storage.get, setItem: storage.set, removeItem: storage.remove },
    detectSessionInUrl: true,
    persistSession: true,
    autoRefreshToken: true,
    fetch: async (...request) => {
      const answer = await fetch(...request);
      if (!answer.ok) noteRefusal(jsonOrText(await answer.clone().text()));
      return answer;
    },
  });
}
