import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createIntake } from "../../../server/leads/intake.ts";
import { createStageRules } from "../../../server/stages/rules.ts";
import { Inbox, startTelegram, type Telegram } from "../../../tests/server/telegram/support.ts";

const INTERRUPTIONS = Number(process.env["INTERRUPTIONS"] ?? 12);
const MESSAGES = 50;
const PHONE = "+4915112345678";

/** A proxy between client and network that can cut all connections at once. */
async function startCuttableWire(target: { ipAddress: string; port: number }) {
  const sockets = new Set<net.Socket>();
  let blackhole = false;
  let swallowed = Promise.withResolvers<void>();
  let connections = 0;
  const server = net.createServer((client) => {
    connections += 1;
    const upstream = net.connect(target.port, target.ipAddress);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("data", (data: Buffer) => {
        if (blackhole) swallowed.resolve();
        else to.write(data);
      });
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    connections: () => connections,
    setBlackhole(on: boolean) {
      blackhole = on;
      swallowed = Promise.withResolvers();
    },
    /** Resolves once data was lost in the black hole. */
    swallowed: () => swallowed.promise,
  };
}

/** Handlers of a worker that store messages as the product does. */
function storing(telegram: Telegram) {
  const intake = createIntake(telegram.deps, createStageRules(telegram.deps.db, telegram.deps.bus));
  const inbox = new Inbox();
  const { onIncoming } = inbox.listeners;
  inbox.listeners.onIncoming = async (messages) => {
    await onIncoming(messages);
    await intake.record(messages[0].userId, messages);
  };
  return inbox;
}

test("records each message once despite interruptions of a worker", { timeout: 180_000 }, async () => {
  const telegram = await startTelegram();
  const [main] = telegram.connection.dcs ?? [];
  if (main === undefined) throw new Error("the simulated network has no data centre");
  const wire = await startCuttableWire(main);
  telegram.connection.dcs = [{ ...main, ipAddress: "127.0.0.1", port: wire.port }];
  const user = await telegram.newUser();
  const inbox = storing(telegram);
  let keeper = await telegram.startKeeper(inbox);
  expect(await telegram.connect(user, PHONE)).toMatchObject({ status: 200 });
  await inbox.account(user);
  await telegram.deps.db.insertInto("stages").values({ owner_id: user, name: "Initial Contact", order: 1 }).execute();

  let sent = 0;
  const people: number[] = [];
  const receive = (count: number) => {
    for (let one = 0; one < count; one += 1) {
      const known = sent % 2 === 1 ? people.at(-1) : undefined;
      const from = { first_name: `Person ${people.length}`, ...(known === undefined ? {} : { user_id: known }) };
      const { user_id } = telegram.network.receive(PHONE, { from, text: `message ${sent}` });
      if (known === undefined) people.push(user_id);
      sent += 1;
    }
  };
  const recorded = async () => {
    const { count } = await telegram.deps.db
      .selectFrom("messages")
      .select((eb) => eb.fn.countAll<string>().as("count"))
      .where("owner_id", "=", user)
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  for (let interruption = 0; interruption < INTERRUPTIONS; interruption += 1) {
    receive(MESSAGES / 2);
    switch (interruption % 4) {
      case 0:
        wire.cut();
        break;
      case 1:
        await keeper.stop();
        receive(MESSAGES / 4);
        keeper = await telegram.startKeeper(inbox);
        break;
      case 2: {
        let refusals = 3;
        inbox.beforeStoring = () => {
          if ((refusals -= 1) >= 0) throw new Error("the database cannot be reached");
        };
        wire.cut();
        break;
      }
      default:
        wire.setBlackhole(true);
        receive(MESSAGES / 4);
        await wire.swallowed();
        wire.cut();
        wire.setBlackhole(false);
    }
    receive(MESSAGES * (interruption + 1) - sent);
    await telegram.idle();
    expect(await recorded()).toBe(sent);
  }
  expect(await recorded()).toBe(INTERRUPTIONS * MESSAGES);
  expect(wire.connections()).toBeGreaterThan(INTERRUPTIONS * 0.75);
  const texts = await telegram.deps.db.selectFrom("messages").select("text").where("owner_id", "=", user).execute();
  expect(new Set(texts.map(({ text }) => text)).size).toBe(sent);
  const leads = await telegram.deps.db
    .selectFrom("leads")
    .select("telegram_user_id")
    .where("owner_id", "=", user)
    .execute();
  expect(new Set(leads.map((lead) => Number(lead.telegram_user_id)))).toEqual(new Set(people));
  expect(leads).toHaveLength(people.length);
});
