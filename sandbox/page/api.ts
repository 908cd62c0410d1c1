import { t } from "./texts.ts";

export type Account = {
  phone: string;
  user_id: number;
  first_name: string;
  username: string | null;
  has_password: boolean;
  login_code: string | null;
  sessions: { id: string; device: string; created_at: string }[];
};
export type Message = {
  message_id: number;
  from_name: string;
  out: boolean;
  text: string;
  media_type: string | null;
  at: string;
  edited_at: string | null;
};
export type Chat = {
  id: number;
  type: "user" | "group" | "channel";
  title: string;
  username: string | null;
  is_deleted: boolean;
  has_blocked_account: boolean;
  messages: Message[];
};
export type SandboxTime = { now: string; offset_seconds: number };

/** Calls a sandbox route. @throws an error with the server's message */
export async function call<T>(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/sandbox${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as T & { message?: string };
  if (!response.ok) throw new Error(answer.message ?? t("answered", { status: String(response.status) }));
  return answer;
}

export const accountPath = (phone: string): string => `/telegram/accounts/${encodeURIComponent(phone)}`;
