import type { InboxPage } from "../../../domain/inbox.ts";
import type { LeadDetail } from "../../../domain/lead.ts";
import type { Message, MessagesPage } from "../../../domain/message.ts";
import { rowsOf } from "../../support/rows.ts";
import type { TestServer } from "../../support/server.ts";

/** Creates a seller with a connected account and the calls that conversation tests make. */
export async function newSeller(server: TestServer) {
  const user = await server.subscriber();
  const { phone } = await server.connect(user);
  const { token, userId } = user;
  const get = <T>(path: string) => server.must<T>("GET", path, { token });
  const callSandbox = <T>(path: string, body?: unknown, method?: string) =>
    server.sandbox<T>(phone, path, body, method);
  const messages = async (leadId: string, query = ""): Promise<Message[]> =>
    (await get<MessagesPage>(`/api/leads/${leadId}/messages${query}`)).messages;
  return {
    ...user,
    phone,
    get,
    callSandbox,
    messages,
    inbox: (query = "") => get<InboxPage>(`/api/inbox${query}`),
    lead: (id: string) => get<LeadDetail>(`/api/leads/${id}`),
    /** Receives a message. Resolves with its sender and the lead. */
    async receive(from: { first_name: string; user_id?: number; username?: string }, text: string) {
      const { user_id, message_id } = await server.receive(phone, from, text);
      const known = { owner_id: userId, telegram_user_id: String(user_id) };
      const [lead] = await rowsOf(server.deps.db, "leads", known, ["id"]);
      return { user_id, message_id, lead: lead?.id ?? "" };
    },
    /** Returns the conversation once the condition holds. Lets time pass, because messages leave at the account's pace. */
    until: (leadId: string, isEnough: (all: Message[]) => boolean) =>
      server.passUntil(() => messages(leadId), isEnough),
  };
}

export type ConnectedSeller = Awaited<ReturnType<typeof newSeller>>;
