import type { InboxPage } from "../../../domain/inbox.ts";
import type { LeadDetail } from "../../../domain/lead.ts";
import type { Message, MessagesPage } from "../../../domain/message.ts";
import type { TestServer, TestUser } from "../../support/server.ts";

/** A seller whose account is connected, with the calls that the tests of conversations make. */
export async function newSeller(server: TestServer) {
  const user = await server.subscriber();
  const { phone } = await server.connect(user);
  return { ...user, phone, ...callsOf(server, user, phone) };
}
export type ConnectedSeller = Awaited<ReturnType<typeof newSeller>>;

function callsOf(server: TestServer, { token, userId }: Pick<TestUser, "token" | "userId">, phone: string) {
  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await server.call<T>("GET", path, { token });
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const lever = async <T>(path: string, body?: unknown, method = body === undefined ? "GET" : "POST"): Promise<T> => {
    const answer = await server.call<T>(method, `/sandbox/telegram/accounts/${encodeURIComponent(phone)}${path}`, {
      body,
    });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const messages = async (leadId: string, query = ""): Promise<Message[]> =>
    (await get<MessagesPage>(`/api/leads/${leadId}/messages${query}`)).messages;
  return {
    get,
    lever,
    messages,
    inbox: (query = "") => get<InboxPage>(`/api/inbox${query}`),
    lead: (id: string) => get<LeadDetail>(`/api/leads/${id}`),
    /** Someone writes; resolves with who it was and the lead. */
    async hear(from: { first_name: string; user_id?: number; username?: string }, text: string) {
      const { user_id, message_id } = await server.receive(phone, from, text);
      const lead = await server.deps.db
        .selectFrom("leads")
        .select("id")
        .where("owner_id", "=", userId)
        .where("telegram_user_id", "=", String(user_id))
        .executeTakeFirst();
      return { user_id, message_id, lead: lead?.id ?? "" };
    },
    /** Returns the conversation once it satisfies; lets time pass, for a message leaves at the account's pace. */
    until: (leadId: string, isEnough: (all: Message[]) => boolean) =>
      server.passUntil(() => messages(leadId), isEnough),
  };
}
