import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { createWork } from "../../server/core/work.ts";
import { createChannel } from "../../sandbox/telegram/controls/accounts.ts";
import { runNetwork } from "../../sandbox/telegram/network.ts";
import { createBus } from "../../server/core/bus.ts";
import { readConfig } from "../../server/core/config.ts";
import type { Deps } from "../../server/core/deps.ts";
import { createJobs } from "../../server/core/jobs.ts";
import { openLanguages } from "../../server/core/languages.ts";
import { openDatabase } from "../../server/db/index.ts";
import { createIntake } from "../../server/leads/intake.ts";
import { createStageRules } from "../../server/stages/rules.ts";
import { startAccountKeeper, telegramConnection, type AccountKeeper } from "../../server/telegram/index.ts";
import { writeAccounts } from "../bench/scale/installation.ts";
import { movableClock } from "../../tests/support/auth-server.ts";
import { testDatabase } from "../../tests/support/database.ts";
import { randomStream } from "../../tests/support/seed.ts";
import { History, type Network } from "./history.ts";
import { pause } from "./house.ts";

export type HistoryFigures = {
  histories: number;
  messages: number;
  /** absences after which Telegram did not list the missed updates */
  tooLong: number;
  /** workers that ended while updates were still to be fetched */
  restarts: number;
  /** calls that Telegram refused or did not answer, and writes that the database refused */
  refusals: number;
  /** messages that are missing or stored differently, and senders who cannot be reached */
  wrong: string[];
};

const AT_ONCE = 25;
const WITHIN_MS = 90_000;
/** A catch-up that never ends is a failure too. */
const MOST_TIMES = 4;
const WAIT_SECONDS = 30;
/** More chats than fit on a page of the chat list. */
const MANY_CHATS = 105;

type Random = ReturnType<typeof randomStream>;

/**
 * Runs generated histories: accounts receive messages, then are away for hours while people write, groups talk and chats are pinned. They
 * return through flood waits, lost calls, a failing database and restarts. Then every private message must be stored, and its sender
 * reachable.
 */
export async function runHistories(plan: {
  histories: number;
  seed: number;
  print: (line: string) => void;
}): Promise<HistoryFigures> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-histories-"));
  const clock = movableClock();
  const network = await runNetwork({ dir: path.join(dataDir, "network"), clock });
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  const config = readConfig({ LEADLOOM_DATA: dataDir, LOG_LEVEL: "silent" });
  const logger = pino({ level: process.env["CHAOS_LOG"] ?? "silent" });
  const bus = await createBus(opened.db, opened.engine, () => {});
  const work = createWork();
  const jobs = createJobs({ engine: opened.engine, clock, logger, work }, { runsWork: false });
  const deps = {
    config,
    db: opened.db,
    engine: opened.engine,
    clock,
    bus,
    jobs,
    languages: openLanguages(),
    logger,
    work,
  };
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
      await runTogether(deps, network, histories, figures, random);
      figures.histories += count;
      plan.print(`${figures.histories} histories, ${figures.messages} messages, ${figures.wrong.length} wrong`);
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

async function runTogether(
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
  // An account receives updates once it has stored its first state.
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

/**
 * Waits until everything is stored and fetched. Gives up when nothing changes within `ms`.
 * @returns what is still missing
 */
async function whole(
  db: Deps["db"],
  histories: readonly History[],
  clock: { advance(seconds: number): void },
  ms: number,
): Promise<string[]> {
  const last = performance.now() + MOST_TIMES * ms;
  let [seen, seenAt] = ["", performance.now()];
  for (;;) {
    const wrong: string[] = [];
    const rows = await db
      .selectFrom("telegram_state")
      .select(["account_id", "value"])
      .where("key", "=", "updates_missed")
      .execute();
    const gaps = new Map(rows.map(({ account_id: id, value }) => [id, Buffer.from(value).toString()]));
    for (const history of histories) {
      const problem = await judge(db, history);
      const gap = gaps.get(history.account.accountId);
      if (problem !== null) wrong.push(problem);
      else if (gap !== undefined) wrong.push(`${history.account.phone}: updates are still missing, ${gap}`);
    }
    const state = wrong.join("\n");
    if (state !== seen) [seen, seenAt] = [state, performance.now()];
    const time = performance.now();
    if (wrong.length === 0 || time > seenAt + ms || time > last) return wrong;
    await pause(200);
    // Lets flood waits pass.
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
  if (unknown !== undefined) return `${account.phone}: message ${unknown} was not a private message`;
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
  return lost.length === 0 ? null : `${account.phone}: ${lost.length} people cannot be reached`;
}

async function until(ask: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; !(await ask());) {
    if (performance.now() > end) throw new Error("timed out waiting for the accounts to be held");
    await pause(50);
  }
}
