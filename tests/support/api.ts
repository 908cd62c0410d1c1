import { vi } from "vitest";
import { type HttpDeps, createHttp } from "../../src/services/http.ts";

/** Returns the API client of a signed-in user. */
export const client = (deps: Partial<HttpDeps> = {}) =>
  createHttp({ baseURL: "/api", getSession: () => ({ accessToken: "token-1" }), refresh: async () => null, ...deps });

export type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | "lost";
type Sent = Record<"authorization" | "key" | "version" | "type", string | null> & { call: string; body: string };

/** Answers the page's requests in order, repeats the last answer, and returns the requests sent. */
export function answerInTurn(...answers: Answer[]): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET", headers, body = null }: RequestInit = {}) => {
    const { pathname, search, href } = new URL(address, "http://localhost");
    const request = new Request(href, { method, body, ...(headers && { headers }) });
    const header = (name: string) => request.headers.get(name);
    sent.push({
      call: `${method} ${pathname.replace("/api", "")}${search}`,
      authorization: header("authorization"),
      key: header("idempotency-key"),
      version: header("if-match"),
      type: header("content-type"),
      body: await request.text(),
    });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined || answer === "lost") throw new TypeError("Failed to fetch");
    const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
    return new Response(answer.status === 204 ? null : (text ?? ""), answer);
  });
  return sent;
}
