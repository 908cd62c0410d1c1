import { ANON_KEY } from "./anon-key.ts";
import type { Auth } from "./auth.ts";
import { isSamePerson } from "./session-store.ts";

const EXPIRED_CODES = ["token_expired", "PGRST301", "PGRST303"];

/** The browser's fetch that adds who is asking; a call refused for an expired token is repeated once with a renewed one. */
export function fetchAs(auth: Pick<Auth, "accessToken" | "refresh">): typeof fetch {
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
    return renewed !== null && isSamePerson(token, renewed) ? send(renewed) : answer;
  };
}

async function isExpiry(answer: Response): Promise<boolean> {
  const body: unknown = await answer.json().catch(() => null);
  return typeof body === "object" && body !== null && "code" in body && EXPIRED_CODES.includes(String(body.code));
}
