import type { FastifyInstance } from "fastify";
import * as v from "valibot";
import { parse, ProblemError } from "./server-imports.ts";
import { SandboxError, type TelegramNetwork } from "./telegram/index.ts";
import { SAMPLE_KINDS } from "./telegram/world/samples.ts";

const text = (max: number) => v.pipe(v.string(), v.maxLength(max));
const personId = v.pipe(v.number(), v.integer());
const NewAccount = v.strictObject({
  phone: text(32),
  password: v.optional(text(256)),
  hint: v.optional(text(256)),
  first_name: v.optional(text(64)),
  last_name: v.optional(text(64)),
  username: v.optional(text(32)),
  dc_id: v.optional(v.number()),
});
const Sample = v.optional(v.picklist(SAMPLE_KINDS));
const Edit = v.strictObject({ text: text(4096), media: Sample });
const Receive = v.strictObject({
  from: v.strictObject({
    user_id: v.optional(personId),
    first_name: text(64),
    last_name: v.optional(text(64)),
    username: v.optional(text(32)),
    is_bot: v.optional(v.boolean()),
    is_contact: v.optional(v.boolean()),
  }),
  text: v.optional(text(4096), ""),
  media: Sample,
  in_group: v.optional(text(128)),
});
const NewFault = v.strictObject({
  method: text(100),
  error: text(100),
  to_user_id: v.optional(personId),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))),
  after_delivery: v.optional(v.boolean()),
});
const Person = v.strictObject({
  blocked: v.optional(v.boolean()),
  deleted: v.optional(v.literal(true)),
  bot: v.optional(v.boolean()),
  privacy: v.optional(v.picklist(["everyone", "contacts", "premium", "paid"])),
});
const PRIVACY = {
  everyone: null,
  contacts: "USER_PRIVACY_RESTRICTED",
  premium: "PRIVACY_PREMIUM_REQUIRED",
  paid: "ALLOW_PAYMENT_REQUIRED_25",
} as const;
const count = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most));

type ByPhone = { Params: { phone: string } };
type ByMessage = { Params: { phone: string; id: string } };

/** Registers the routes that control the simulated network, for the sandbox page and for tests. */
export function registerTelegramSandbox(app: FastifyInstance, network: TelegramNetwork): void {
  const base = "/sandbox/telegram";
  const account = `${base}/accounts/:phone`;
  app.get(`${base}/accounts`, () => respond(() => network.accounts()));
  app.post(`${base}/accounts`, ({ body }) => respond(() => network.createAccount(parse(NewAccount, body ?? {}))));
  app.get<ByPhone>(account, ({ params }) => respond(() => network.account(params.phone)));
  app.post<ByPhone>(`${account}/scan`, ({ params, body }) =>
    respond(async () => {
      await network.scan(params.phone, parse(v.strictObject({ qr_url: text(2_000) }), body ?? {}).qr_url);
      return network.account(params.phone);
    }),
  );
  app.post<ByPhone>(`${account}/receive`, ({ params, body }) =>
    respond(() => network.receive(params.phone, parse(Receive, body ?? {}))),
  );
  app.get<ByPhone>(`${account}/sent`, ({ params }) => respond(() => network.sent(params.phone)));
  app.get<ByPhone>(`${account}/chats`, ({ params }) => respond(() => network.chats(params.phone)));
  app.get<ByPhone>(`${account}/faults`, ({ params }) => respond(() => network.faults(params.phone)));
  app.post<ByPhone>(`${account}/faults`, ({ params, body }) =>
    respond(() => {
      network.addFault(params.phone, parse(NewFault, body ?? {}));
      return network.faults(params.phone);
    }),
  );
  app.delete<ByPhone>(`${account}/faults`, ({ params }) => respond(() => network.clearFaults(params.phone)));
  app.post<ByPhone>(`${account}/revoke`, ({ params }) => respond(() => network.revoke(params.phone)));
  app.post<ByPhone>(`${account}/send`, ({ params, body }) =>
    respond(() => {
      const input = parse(v.strictObject({ to_user_id: personId, text: text(4096) }), body ?? {});
      return network.sendFromPhone(params.phone, input.to_user_id, input.text);
    }),
  );
  app.post<ByPhone>(`${account}/read`, ({ params, body }) =>
    respond(() => {
      const input = parse(v.strictObject({ user_id: personId, message_id: v.optional(personId) }), body ?? {});
      return network.readOnPhone(params.phone, input.user_id, input.message_id);
    }),
  );
  app.post<ByPhone>(`${account}/dialogs`, ({ params, body }) =>
    respond(() =>
      network.addOldChats(params.phone, parse(v.strictObject({ count: count(5_000), days: count(3_650) }), body ?? {})),
    ),
  );
  registerPeople(app, network, account);
  app.post(`${base}/channels`, ({ body }) =>
    respond(() => network.createChannel(parse(v.strictObject({ username: text(32), title: text(128) }), body ?? {}))),
  );
}

function registerPeople(app: FastifyInstance, network: TelegramNetwork, account: string): void {
  app.post<ByMessage>(`${account}/people/:id`, ({ params, body }) =>
    respond(() => {
      const { blocked, deleted, bot, privacy } = parse(Person, body ?? {});
      const id = Number(params.id);
      if (blocked !== undefined) (blocked ? network.block : network.unblock)(params.phone, id);
      if (bot !== undefined) network.setBot(params.phone, id, bot);
      if (privacy !== undefined) network.setPrivacy(params.phone, id, PRIVACY[privacy]);
      if (deleted) network.deletePerson(params.phone, id);
    }),
  );
  app.patch<ByMessage>(`${account}/messages/:id`, ({ params, body }) =>
    respond(() => network.editMessage(params.phone, Number(params.id), parse(Edit, body ?? {}))),
  );
  app.delete<ByMessage>(`${account}/messages/:id`, ({ params }) =>
    respond(() => network.deleteMessage(params.phone, Number(params.id))),
  );
}

/** Converts a SandboxError to the server's error format. */
async function respond<T>(work: () => T | Promise<T>): Promise<T | { success: true }> {
  try {
    return (await work()) ?? { success: true };
  } catch (error) {
    if (error instanceof SandboxError) throw new ProblemError(error.status, error.code, error.message);
    throw error;
  }
}
