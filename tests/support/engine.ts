import multipart from "@fastify/multipart";
import Fastify from "fastify";
import { afterAll } from "vitest";
import { registerBatch } from "../../server/batch/routes.ts";
import { registerBulk } from "../../server/bulk/routes.ts";
import type { Deps, Running } from "../../server/core/deps.ts";
import { registerErrorHandler } from "../../server/core/errors.ts";
import { createRouter } from "../../server/core/routes.ts";
import { registerCrm } from "../../server/crm/routes.ts";
import { registerExclusions } from "../../server/exclusions/routes.ts";
import { registerFollowups } from "../../server/followups/routes.ts";
import { createIntake } from "../../server/leads/intake.ts";
import { moveLead } from "../../server/leads/stage-move.ts";
import { registerLeads } from "../../server/leads/routes.ts";
import { registerLedger } from "../../server/ledger/routes.ts";
import { registerMedia } from "../../server/media/routes.ts";
import type { SendPort } from "../../server/outbox/port.ts";
import { createWakes } from "../../server/outbox/wakes.ts";
import { startSender } from "../../server/outbox/sender.ts";
import { registerReminders } from "../../server/reminders/routes.ts";
import { createStageRules } from "../../server/stages/rules.ts";
import { registerStages } from "../../server/stages/routes.ts";
import { registerSettings } from "../../server/settings/index.ts";
import { registerSnippets } from "../../server/snippets/routes.ts";
import { createFakeTelegram, type FakeTelegram } from "./fake-telegram.ts";
import { addAuthUser, openStore, partsOn, signInById } from "./parts.ts";
import { addRow } from "./rows.ts";
import { telegramMessage } from "./telegram-message.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const HOUR_MS = 3_600_000;

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * Starts the sending half of the product with its own database and a fake Telegram. `Bearer <user id>` signs in; with a key's name after
 * it, that API key of the user.
 */
export async function startTestEngine(env: Record<string, string> = {}) {
  const store = await openStore();
  const clock = createVirtualClock(store.work);
  const deps = await partsOn(store, clock, { env });
  const app = Fastify({ forceCloseConnections: true });
  registerErrorHandler(app);
  await app.register(multipart);
  const route = createRouter(app, { authenticate: signInById, hasSubscription: async () => true }, deps);
  registerMedia(route, deps);
  registerLedger(route, deps);
  registerFollowups(route, deps);
  registerLeads(route, deps);
  registerBatch(route, deps);
  registerCrm(route, deps);
  registerExclusions(route, deps);
  registerSettings(route, deps);
  registerStages(route, deps);
  registerBulk(route, deps);
  registerReminders(route, deps);
  registerSnippets(route, deps);

  const intake = createIntake(deps, createStageRules(deps.db, deps.bus));
  const wakes = createWakes(deps);
  const senders: { running: Running; abort: AbortController }[] = [];
  /** Sends a request of the seller to the API. */
  const call = async <T = { code?: string }>(
    { id }: Pick<Seller, "id">,
    method: Method,
    path: string,
    body?: object,
    known: Record<string, string> = {},
  ) => {
    const headers = { authorization: `Bearer ${id}`, ...known };
    const payload = body === undefined ? {} : { payload: body };
    const answer = await app.inject({ method, url: `/api${path}`, headers, ...payload });
    return { status: answer.statusCode, body: answer.json<T>() };
  };
  const fakeTelegram = ({ slowMs }: { slowMs?: number } = {}) => createFakeTelegram(clock, store.work, slowMs);
  /** Takes over the seller's account as a worker process would, and starts sending. */
  const startSending = async (seller: Seller, telegram: FakeTelegram, jitter = 0) => {
    const { fence } = await deps.db
      .updateTable("telegram_sessions")
      .set((eb) => ({ fence: eb("fence", "+", "1") }))
      .where("id", "=", seller.accountId)
      .returning("fence")
      .executeTakeFirstOrThrow();
    const abort = new AbortController();
    const account = { ...accountOf(seller, telegram.port, abort), fence: BigInt(fence) };
    const running = await startSender(deps, account, wakes, { random: () => jitter });
    senders.push({ running, abort });
    return running;
  };
  return {
    deps,
    clock,
    app,
    /** Moves the clock at once, as the sandbox does, and waits for the work this causes. */
    advance: async (seconds: number) => {
      clock.jump(seconds * 1000);
      await deps.bus.publish("clock.moved", {});
      await store.idle();
    },
    /** Lets time pass until none of the seller's messages is due: each leaves at the account's pace. */
    allSent: (seller: Seller) =>
      clock.passUntil(async () => {
        const open = await deps.db
          .selectFrom("outbox")
          .select("id")
          .where("owner_id", "=", seller.id)
          .where("state", "in", ["pending", "sending"])
          .where("not_before", "<=", clock.iso())
          .executeTakeFirst();
        return open === undefined || null;
      }),
    /** Resolves when all work that is due now is done. */
    idle: store.idle,
    newSeller: (options: SellerOptions = {}) => newSeller(deps, options),
    call,
    /** Delivers a message between the seller and a person, as a Telegram update would. */
    deliver: (
      { id, telegramUserId }: Seller,
      person: string,
      text: string,
      known: { isOutgoing?: boolean; isContact?: boolean; date?: string } = {},
    ) =>
      intake.record(id, [
        telegramMessage({
          userId: id,
          accountUserId: telegramUserId,
          peer: { id: person, isContact: known.isContact ?? false },
          isOutgoing: known.isOutgoing ?? false,
          text,
          date: known.date ?? clock.iso(),
        }),
      ]),
    /** Moves a lead to another stage as the user would. */
    move: ({ id }: Pick<Seller, "id">, leadId: string, toStageId: string, at = clock.iso()) =>
      moveLead(deps.db, { ownerId: id, leadId, toStageId, at, by: { reason: "manual" } }),
    fakeTelegram,
    startSending,
    /** Starts sending for the seller through a new fake Telegram. */
    async telegramOf(seller: Seller, options: { slowMs?: number } = {}): Promise<FakeTelegram> {
      const telegram = fakeTelegram(options);
      await startSending(seller, telegram);
      return telegram;
    },
    async stop() {
      senders.forEach(({ abort }) => abort.abort());
      await Promise.all(senders.map(({ running }) => running.stop()));
      await wakes.stop();
      await app.close();
      await store.close();
    },
  };
}
export type TestEngine = Awaited<ReturnType<typeof startTestEngine>>;

/** Starts the sending half of the product for one test file and stops it after its tests. */
export async function ownEngine(): Promise<TestEngine> {
  const engine = await startTestEngine();
  afterAll(() => engine.stop());
  return engine;
}

type SellerOptions = { automated?: boolean; startHour?: number; endHour?: number; dailyCap?: number };
export type Seller = { id: string; accountId: string; telegramUserId: string; stageId: string };
let numbers = 1_000;

/** Returns the seller's account as the worker that holds it sees it. */
export const accountOf = (
  { id: userId, accountId, telegramUserId }: Seller,
  port: SendPort,
  { signal } = new AbortController(),
) => ({ accountId, userId, telegramUserId, fence: 1n, port, signal });

async function newSeller(deps: Deps, options: SellerOptions): Promise<Seller> {
  const { id } = await addAuthUser(deps.db);
  const at = deps.clock.iso();
  numbers += 1;
  await deps.db.insertInto("subscriptions").values({ user_id: id, status: "active" }).execute();
  await addRow(deps.db, "user_settings", {
    user_id: id,
    auto_followups_enabled: options.automated ?? false,
    auto_followup_start_hour: options.startHour ?? 0,
    auto_followup_end_hour: options.endHour ?? 0,
    auto_followups_since: options.automated ? at : null,
  });
  const stage = await addRow(deps.db, "stages", { owner_id: id, name: "Initial Contact", order: 1 });
  const telegramUserId = String(numbers);
  const session = await addRow(deps.db, "telegram_sessions", {
    user_id: id,
    telegram_user_id: telegramUserId,
    device: "test",
    connected_at: at,
    daily_cap: options.dailyCap ?? 10_000,
  });
  return { id, accountId: session.id, telegramUserId, stageId: stage.id };
}

/** Adds a lead who wrote an hour ago and entered the first stage by that message. */
export async function newLead(
  { deps }: Pick<TestEngine, "deps">,
  seller: Seller,
  known: { name?: string; enteredAt?: number; lastMessageAt?: number | null } = {},
): Promise<{ id: string; telegramUserId: string }> {
  numbers += 1;
  const telegramUserId = String(numbers);
  const at = new Date(known.enteredAt ?? deps.clock.now() - HOUR_MS).toISOString();
  const last = known.lastMessageAt === null ? null : new Date(known.lastMessageAt ?? Date.parse(at)).toISOString();
  const { id } = await addRow(deps.db, "leads", {
    owner_id: seller.id,
    telegram_user_id: telegramUserId,
    name: known.name ?? `Lead ${telegramUserId}`,
    stage_id: seller.stageId,
    created_at: at,
    stage_entered_at: at,
    last_user_message_at: last,
    last_message_at: last,
    last_inbound_at: at,
  });
  return { id, telegramUserId };
}

/** Adds a stage to the seller. @returns its id */
export async function newStage(engine: TestEngine, seller: Seller, name: string, order: number): Promise<string> {
  const stage = await addRow(engine.deps.db, "stages", { owner_id: seller.id, name, order });
  return stage.id;
}

/** Adds a step at the end of the seller's first stage. */
export async function newStep(
  { deps }: Pick<TestEngine, "deps">,
  seller: Seller,
  step: { message: string; delayHours?: number; order: number },
): Promise<string> {
  const { id } = await addRow(deps.db, "followups", {
    owner_id: seller.id,
    stage_id: seller.stageId,
    message: step.message,
    followup_order: step.order,
    delay_hours: step.delayHours ?? 24,
    created_at: new Date(deps.clock.now() - 1_000 * HOUR_MS).toISOString(),
  });
  return id;
}
