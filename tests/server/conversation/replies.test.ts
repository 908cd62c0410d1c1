import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Message } from "../../../domain/message.ts";
import type { StoryPage } from "../../../domain/story.ts";
import { foldSettled } from "../../../server/outbox/fold.ts";
import { PNG } from "../../support/files.ts";
import { messageNumber } from "../../support/messages.ts";
import { formWith } from "../../support/form.ts";
import { newSeller, type ConnectedSeller } from "./support.ts";
import { sharedServer } from "../../support/server.ts";

type Sent = { to_user_id: number; text: string; media_type: string | null };
type Refusal = { code: string; message: string };

const server = await sharedServer();

const form = (text: string, file?: Uint8Array<ArrayBuffer>) => formWith({ text }, file);
const reply = <T = Message>({ call }: ConnectedSeller, lead: string, body: FormData, key: string = randomUUID()) =>
  call<T>("POST", `/leads/${lead}/messages`, body, { "idempotency-key": key });
const sentBy = (user: ConnectedSeller) => user.callSandbox<Sent[]>("/sent");
const settled = ([last]: Message[]) => last !== undefined && !["pending", "sending"].includes(last.state);

/** Simulates the state weeks later: the idempotency keys are gone, and sent messages are in the ledger. */
async function forgetAnswers({ userId }: ConnectedSeller): Promise<void> {
  await server.deps.db.deleteFrom("request_keys").where("owner_id", "=", userId).execute();
  await foldSettled(server.deps, 0);
}

describe("a reply", () => {
  it("is shown at once, sent first and once, and ends the wait", async () => {
    const user = await newSeller(server);
    const { user_id: ann, lead } = await user.receive({ first_name: "Ann" }, "What does it cost?");
    await user.call("PATCH", `/leads/${lead}`, { draft: "Ten euros." });
    const { status, body } = await reply(user, lead, form("Ten euros."));
    const known = { id: expect.any(String), message_id: null, at: expect.any(String), text: "Ten euros." };
    const pending = messageNumber(1, { ...known, direction: "out", state: "pending" });
    expect([status, body]).toEqual([201, pending]);
    const [last, first, ...rest] = await user.until(lead, settled);
    expect(last).toMatchObject({ id: body.id, state: "sent", message_id: expect.any(Number), source: "reply" });
    expect([first?.text, rest]).toEqual(["What does it cost?", []]);
    expect(await sentBy(user)).toMatchObject([{ to_user_id: ann, text: "Ten euros." }]);
    const ended = { waiting_since: null, unread: 0, draft: null };
    expect(await user.lead(lead)).toMatchObject({ ...ended, followup_order_sent: 0, last_followup_sent_at: null });
    const { items } = await user.get<StoryPage>(`/api/leads/${lead}/story`);
    expect(items[0]).toMatchObject({ type: "sent", kind: "reply", state: "sent", step: null, by: { kind: "person" } });
  });

  it("is sent once per key, also on concurrent requests", async () => {
    const user = await newSeller(server);
    const { lead } = await user.receive({ first_name: "Ann" }, "Hello");
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => reply(user, lead, form("Once"), key)));
    await user.until(lead, settled);
    answers.push(await reply(user, lead, form("Once"), key));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect(await sentBy(user)).toHaveLength(1);
    const other = await reply<Refusal>(user, lead, form("Something else"), key);
    expect([other.status, other.body.code]).toEqual([422, "key_reused"]);
    expect((await reply(user, lead, form("Once"))).status).toEqual(201);
    expect((await reply<Refusal>(user, lead, form("Once"), "two words")).status).toEqual(422);
    await user.until(lead, settled);

    await forgetAnswers(user);
    const late = await reply(user, lead, form("Once"), key);
    expect(late.body).toMatchObject({ id: answers[0]?.body.id, state: "sent" });
    await server.deps.db.deleteFrom("request_keys").where("owner_id", "=", user.userId).execute();
    expect((await reply<Refusal>(user, lead, form("Something else"), key)).body.code).toEqual("key_reused");
    expect(await sentBy(user)).toHaveLength(2);
  });

  it("fails with a reason when Telegram refuses it for this lead", async () => {
    const user = await newSeller(server);
    const { user_id: ann, lead } = await user.receive({ first_name: "Ann" }, "Hello");
    await user.callSandbox(`/people/${ann}`, { blocked: true });
    await reply(user, lead, form("Hi"));
    const [last] = await user.until(lead, settled);
    expect(last).toMatchObject({ state: "failed", reason: "USER_IS_BLOCKED", message_id: null });
    expect(await user.lead(lead)).toMatchObject({ waiting_since: expect.any(String), unread: 1 });
    const { items } = await user.get<StoryPage>(`/api/leads/${lead}/story`);
    expect(items[0]).toMatchObject({ state: "failed", words: "Not sent: this person blocked you." });
  });

  it("is refused without an account, when empty or too long, and during a wait", async () => {
    const user = await newSeller(server);
    const { lead } = await user.receive({ first_name: "Ann" }, "Hello");
    const refusal = async (body: FormData) => {
      const answer = await reply<Refusal>(user, lead, body);
      return [answer.status, answer.body.code, answer.headers.get("retry-after")];
    };
    expect(await refusal(form("   "))).toEqual([422, "invalid_input", null]);
    expect(await refusal(form("x".repeat(4_097)))).toEqual([422, "invalid_input", null]);
    expect(await refusal(form("x".repeat(1_025), PNG))).toEqual([422, "invalid_input", null]);
    expect(await refusal(form("x", new Uint8Array(100)))).toEqual([415, "unsupported_media_type", null]);
    expect(await refusal(form("x", new Uint8Array(10_485_761)))).toEqual([413, "too_large", null]);
    await user.callSandbox("/faults", { method: "messages.sendMessage", error: "FLOOD_WAIT_60" });
    await reply(user, lead, form("Later"));
    await user.until(lead, ([last]) => last?.reason === "FLOOD_WAIT_60");
    const [status, code, retryAfter] = await refusal(form("Now"));
    expect([status, code, Number(retryAfter) > 50]).toEqual([429, "account_waits", true]);
    await server.advance(61);
    expect((await user.until(lead, settled))[0]).toMatchObject({ text: "Later", state: "sent" });
    await user.call("POST", "/telegram/disconnect", {});
    expect(await refusal(form("Gone"))).toEqual([409, "not_connected", null]);
  });
});

describe("a follow-up sent by hand", () => {
  it("is sent once per key, and a new key sends the next one at once", async () => {
    const user = await newSeller(server);
    const { lead } = await user.receive({ first_name: "Ann" }, "Hello");
    const [stage] = await user.get<{ id: string }[]>("/api/stages");
    for (const message of ["First", "Second"]) {
      await user.call("POST", "/followups", { stage_id: stage?.id, message });
    }
    const send = async (key: string) =>
      (await user.call("POST", `/followups/send/${lead}`, undefined, { "idempotency-key": key })).status;
    expect(await Promise.all([send("one"), send("one")])).toEqual([200, 200]);
    expect(await send("one")).toEqual(200);
    expect((await sentBy(user)).map(({ text }) => text)).toEqual(["First"]);
    expect(await send("two")).toEqual(200);
    expect(await send("three")).toEqual(409);
    expect((await sentBy(user)).map(({ text }) => text)).toEqual(["First", "Second"]);

    const story = () => user.get<StoryPage>(`/api/leads/${lead}/story`);
    const before = await story();
    await forgetAnswers(user);
    expect(await send("one")).toEqual(200);
    expect(await sentBy(user)).toHaveLength(2);
    expect(await story()).toEqual(before);
    const page = await user.get<StoryPage>(`/api/leads/${lead}/story?limit=1&before=${before.items[0]?.id}`);
    expect([page.items, before.items[0]?.id]).toEqual([[before.items[1]], expect.stringMatching(/^o\d+$/)]);
  });
});
