import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import {
  receiveMessage,
  sendFromPhone,
  deleteReceived,
  writeInChannel,
} from "../../sandbox/telegram/levers/messages.ts";
import { createChannel, armFault } from "../../sandbox/telegram/levers/accounts.ts";
import { runNetwork } from "../../sandbox/telegram/network.ts";
import { clearFaults } from "../../sandbox/telegram/world/faults.ts";
import { forgetEvents, pinDialog } from "../../sandbox/telegram/world/messages.ts";
import { createBus } from "../../server/core/bus.ts";
import { readConfig } from "../../server/core/config.ts";
import type { Deps } from "../../server/core/deps.ts";
import { createJobs } from "../../server/core/jobs.ts";
import { openDatabase } from "../../server/db/index.ts";
import { createIntake } from "../../server/leads/index.ts";
import { createStageRules } from "../../server/stages/index.ts";
import { startAccountKeeper, telegramConnection, type AccountKeeper } from "../../server/telegram/index.ts";
import { type WrittenAccount, writeAccounts } from "../bench/scale/installation.ts";
import { movableClock } from "../support/auth-server.ts";
import { testDatabase } from "../support/database.ts";
import { randomStream } from "../support/seed.ts";
import { pause } from "./house.ts";

export type HistoryFigures = {
  histories: number;
  messages: number;
  /** absences after which Telegram did not list what was missed */
  tooLong: number;
  /** workers that ended while something was still to be read */
  restarts: number;
  /** calls that Telegram refused, or did not answer, and writes that the database refused */
  refusals: number;
  /** what was written and is not stored, is stored otherwise, or by whom nobody can be written to any more */
  wrong: string[];
};

const AT_ONCE = 25;
const WITHIN_MS = 90_000;
const WAIT_SECONDS = 30;
/** More chats than a page of the list has. */
const MANY_CHATS = 105;

type Random = ReturnType<typeof randomStream>;
type Network = Awaited<ReturnType<typeof runNetwork>>;

/** What one account's chats are told, and what must be known of them in the end. */
class History {
  readonly account: WrittenAccount;
  readonly #network: Network;
  readonly #random: () => number;
  readonly #people: number[] = [];
  /** private messages by number; null is one that was deleted again */
  readonly written = new Map<number, string | null>();

  constructor(account: WrittenAccount, network: Network, random: () => number) {
    this.account = account;
    this.#network = network;
    this.#random = random;
  }

  chance = (share: number): boolean => this.#random() < share;
  upTo = (most: number): number => Math.floor(this.#random() * (most + 1));

  receive(isNew = this.#people.length === 0 || this.chance(0.3)): void {
    const known = isNew ? undefined : this.#people[this.upTo(this.#people.length - 1)];
    const text = `message ${this.written.size}`;
    const from = { first_name: `Person ${this.#people.length}`, ...(known === undefined ? {} : { user_id: known }) };
    const { user_id: person, message_id: id } = this.#act((world) =>
      receiveMessage(world, this.account.phone, { from, text }),
    );
    if (known === undefined) this.#people.push(person);
    this.written.set(id, text);
  }

  /** One thing that happens in the account. */
  live(): void {
    const { phone, telegramUserId } = this.account;
    const kind = this.#random();
    const person = this.#people[this.upTo(this.#people.length - 1)];
    if (kind < 0.7 || person === undefined) return this.receive();
    if (kind < 0.8) {
      const text = `by hand ${this.written.size}`;
      const { message_id: id } = this.#act((world) => sendFromPhone(world, phone, person, text));
      this.written.set(id, text);
    } else if (kind < 0.85) {
      const ids = [...this.written.keys()].filter((id) => this.written.get(id) !== null);
      const id = ids[this.upTo(ids.length - 1)];
      if (id === undefined) return;
      this.#act((world) => deleteReceived(world, phone, id));
      this.written.set(id, null);
    } else if (kind < 0.9) {
      this.#act((world) => pinDialog(world, telegramUserId, { type: "user", id: person }));
    } else if (kind < 0.95) {
      const from = { first_name: "Noise" };
      this.#act((world) => receiveMessage(world, phone, { from, text: "in a group", in_group: "Neighbours" }));
    } else {
      this.#act((world) => writeInChannel(world, phone, "noise", { from: { first_name: "Noise" }, text: "a post" }));
    }
  }

  forget(): void {
    this.#act((world) => forgetEvents(world, this.account.telegramUserId));
  }

  fail(method: string, error: string): void {
    this.#act((world) => armFault(world, this.account.phone, { method, error }));
  }

  /** So that what is judged is not what was armed and never met. */
  calm(): void {
    this.#act((world) => clearFaults(world, this.account.telegramUserId));
  }

  #act<T>(act: (world: Network["world"]) => T): T {
    const { world } = this.#network;
    return world.store.transaction(() => act(world));
  }
}

/**
 * Lives generated histories: accounts hear, are away for hours while people write, groups talk and chats are pinned, come back through
 * waits, lost calls, a failing database and restarts; afterwards every private message must be stored, and its person be within reach.
 */
export async function runHistories(plan: {
  histories: number;
  seed: number;
  say: (line: string) => void;
}): Promise<HistoryFigures> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-histories-"));
  const clock = movableClock();
  const network = await runNetwork({ dir: path.join(dataDir, "network"), clock });
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  const config = readConfig({ LEADLOOM_DATA: dataDir, LOG_LEVEL: "silent" });
  const logger = pino({ level: process.env["CHAOS_LOG"] ?? "silent" });
  const bus = await createBus(opened.db, opened.engine, () => {});
  const jobs = createJobs(opened.engine, logger, { runsWork: false });
  const deps = { config, db: opened.db, engine: opened.engine, clock, bus, jobs, logger };
  const random = randomStream(plan.seed);
  const figures: HistoryFigures = { histories: 0, messages: 0, tooLong: 0, restarts: 0, refusals: 0, wrong: [] };
  network.world.store.transaction(() =>
    createChannel(network.world, { username: "noise", title: "Noise", kind: "supergroup" }),
  );
  try {
    while (figures.histories < plan.histories) {
      const count = Math.min(AT_ONCE, plan.histories - figures.histories);
      const accounts = await writeAccounts(opened, dataDir, network, count, figures.histories);
      const histories = accounts.map((account) => new History(account, network, random));
      await liveTogether(deps, network, histories, figures, random);
      figures.histories += count;
      plan.say(`${figures.histories} histories, ${figures.messages} messages, ${figures.wrong.length} wrong`);
      await opened.db.deleteFrom("telegram_sessions").execute();
    }
  } finally {
    await network.close();
    await opened.close();
    await database.drop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
  return figures;
}

async function liveTogether(
  deps: Deps & { clock: ReturnType<typeof movableClock> },
  network: Network,
  histories: readonly History[],
  figures: HistoryFigures,
  random: Random,
): Promise<void> {
  const { db, clock } = deps;
  const intake = createIntake(deps, createStageRules(db, deps.bus));
  let refused = 0;
  const { dcs, mainDcId } = network.world;
  const start = (): Promise<AccountKeeper> =>
    startAccountKeeper(deps, {
      connection: telegramConnection(deps.config, { dcs, mainDcId, publicKeyPem: network.publicKeyPem }),
      onLeased: async () => ({ stop: async () => {} }),
      async onIncoming(messages) {
        if (refused > 0 && random() < 0.2) {
          refused -= 1;
          figures.refusals += 1;
          throw new Error("the database cannot be reached");
        }
        await intake.record(messages[0].userId, messages);
      },
      onEdited: (edit) => intake.recordEdit(edit.userId, edit),
      onDeleted: ({ userId, accountUserId, messageIds, at }) =>
        intake.recordDeletions(userId, { accountUserId, messageIds, deletedAt: at }),
      onRead: (mark) => intake.recordRead(mark.userId, mark),
    });
  const each = (act: (history: History) => void) => histories.forEach(act);

  let keeper = await start();
  // An account is heard from its first connection on.
  await until(async () => {
    const listening = await db.selectFrom("telegram_state").select("key").where("key", "=", "updates_pts").execute();
    return listening.length === histories.length;
  });
  each((history) => Array.from({ length: 1 + history.upTo(4) }, () => history.receive()));
  await whole(db, histories, clock, WITHIN_MS);

  await keeper.stop();
  for (let hour = 0; hour < 3; hour += 1) {
    clock.advance(3_600 + Math.floor(random() * 86_400));
    each((history) => {
      if (hour === 1 && history.chance(0.08)) for (let chat = 0; chat < MANY_CHATS; chat += 1) history.receive(true);
      Array.from({ length: history.upTo(6) }, () => history.live());
    });
  }
  each((history) => {
    if (!history.chance(0.7)) return;
    history.forget();
    figures.tooLong += 1;
    if (history.chance(0.5)) history.live();
  });
  const troubles = ["messages.getDialogs", "messages.getHistory", "updates.getDifference"];
  each((history) => {
    for (const method of troubles)
      if (history.chance(0.3)) {
        const error = history.chance(0.6) ? `FLOOD_WAIT_${WAIT_SECONDS}` : "TIMEOUT";
        history.fail(method, method === "updates.getDifference" ? `FLOOD_WAIT_${WAIT_SECONDS}` : error);
        figures.refusals += 1;
      }
  });
  refused = 10;
  keeper = await start();
  for (let restart = 0; restart < 2; restart += 1) {
    await until(() => keeper.held().length === histories.length);
    await pause(random() * 600);
    each((history) => history.chance(0.5) && history.live());
    clock.advance(WAIT_SECONDS / 2);
    await keeper.stop();
    figures.restarts += 1;
    each((history) => {
      if (history.chance(0.3)) history.live();
      if (history.chance(0.1)) history.forget();
    });
    keeper = await start();
  }
  refused = 0;
  await until(() => keeper.held().length === histories.length);
  each((history) => history.chance(0.3) && history.live());
  const wrong = await whole(db, histories, clock, WITHIN_MS);
  await keeper.stop();
  figures.wrong.push(...wrong);
  for (const { written } of histories) figures.messages += written.size;
  each((history) => history.calm());
}

/** Waits until everything is stored and nothing is left to read. @returns what is not so in the end */
async function whole(
  db: Deps["db"],
  histories: readonly History[],
  clock: { advance(seconds: number): void },
  ms: number,
): Promise<string[]> {
  for (const end = performance.now() + ms; ;) {
    const wrong: string[] = [];
    const gaps = await db
      .selectFrom("telegram_state")
      .select("account_id")
      .where("key", "=", "updates_missed")
      .execute();
    for (const history of histories) {
      const problem = await judge(db, history);
      if (problem !== null) wrong.push(problem);
      else if (gaps.some(({ account_id: id }) => id === history.account.accountId))
        wrong.push(`${history.account.phone}: something is still to be read`);
    }
    if (wrong.length === 0 || performance.now() > end) return wrong;
    await pause(200);
    // Waits that Telegram asked for pass.
    clock.advance(5);
  }
}

async function judge(db: Deps["db"], { account, written }: History): Promise<string | null> {
  const rows = await db
    .selectFrom("messages")
    .select(["message_id", "text", "deleted_at"])
    .where("owner_id", "=", account.userId)
    .execute();
  const stored = new Map(rows.map((row) => [row.message_id, row.deleted_at === null ? row.text : null]));
  for (const [id, text] of written)
    if (text !== null && stored.get(id) !== text)
      return `${account.phone}: message ${id} is ${String(stored.get(id))}, not '${text}'`;
  const unknown = [...stored.keys()].find((id) => id === null || !written.has(id));
  if (unknown !== undefined) return `${account.phone}: message ${unknown} was never written privately`;
  const lost = await db
    .selectFrom("leads")
    .select("telegram_user_id")
    .where("owner_id", "=", account.userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("telegram_peers")
            .select("peer_id")
            .where("account_id", "=", account.accountId)
            .whereRef("peer_id", "=", "leads.telegram_user_id"),
        ),
      ),
    )
    .execute();
  return lost.length === 0 ? null : `${account.phone}: ${lost.length} people cannot be written to`;
}

async function until(ask: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; !(await ask());) {
    if (performance.now() > end) throw new Error("waited in vain for the accounts to be held");
    await pause(50);
  }
}
