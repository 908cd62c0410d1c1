import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createAccountStorage } from "../../../server/telegram/storage/provider.ts";
import { rotateAuthKeys } from "../../../server/telegram/storage/rotate.ts";
import { createVault } from "../../../server/core/vault.ts";
import { addUser } from "../../support/tenant.ts";
import { addRow, changeRows } from "../../support/rows.ts";
import { ownEngine } from "../../support/engine.ts";

const keyOf = (version: number) => ({ version, key: randomBytes(32) });

const { deps } = await ownEngine();
let accounts = 0;

async function account() {
  const { userId } = await addUser(deps);
  const telegramUserId = String(5_000_000 + (accounts += 1));
  const { id: accountId } = await addRow(deps.db, "telegram_sessions", {
    user_id: userId,
    telegram_user_id: telegramUserId,
    device: "test",
    connected_at: deps.clock.iso(),
  });
  return { accountId, userId, telegramUserId };
}

test("decrypts only unchanged data with the same user, row and key version", () => {
  const [one, two] = [keyOf(1), keyOf(2)];
  const vault = createVault([one, two]);
  const binding = { userId: "a", rowId: "r:2:-1" };
  const secret = randomBytes(256);
  const sealed = vault.seal(secret, binding);
  expect(sealed.version).toBe(2);
  expect(sealed.bytes.includes(secret)).toBe(false);
  expect(vault.open(sealed, binding)).toEqual(secret);
  expect(vault.seal(secret, binding).bytes).not.toEqual(sealed.bytes);

  for (let bit = 0; bit < sealed.bytes.length * 8; bit += 97) {
    const flipped = Buffer.from(sealed.bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => vault.open({ ...sealed, bytes: flipped }, binding)).toThrow(/authenticate/);
  }
  expect(() => vault.open(sealed, { ...binding, userId: "b" })).toThrow(/authenticate/);
  expect(() => vault.open(sealed, { ...binding, rowId: "r:4:-1" })).toThrow(/authenticate/);
  expect(() => vault.open({ ...sealed, version: 1 }, binding)).toThrow(/authenticate/);
  expect(() => createVault([one]).open(sealed, binding)).toThrow("ENCRYPTION_KEYS lacks version 2");
});

test("does not change the new key from a client whose session was replaced", async () => {
  const { db } = deps;
  const vault = createVault([keyOf(1)]);
  const mine = await account();
  const storageAt = (fence: bigint) => createAccountStorage(db, vault, { ...mine, fence }, async () => {}).authKeys;
  await changeRows(db, "telegram_sessions", { id: mine.accountId }, { fence: "1" });
  const old = storageAt(1n);
  await old.set(2, randomBytes(256));
  await changeRows(db, "telegram_sessions", { id: mine.accountId }, { fence: "2" });
  const current = storageAt(2n);
  const key = randomBytes(256);
  await current.set(2, key);
  await current.setTemp(2, 0, key, 2_000_000_000);
  await old.set(2, randomBytes(256));
  await old.set(4, randomBytes(256));
  await old.setTemp(2, 0, null, 0);
  await old.deleteByDc(2);
  await old.deleteAll();
  expect([await current.get(2), await current.getTemp(2, 0, 0), await current.get(4)]).toEqual([key, key, null]);
  await current.deleteAll();
  expect([await current.get(2), await current.getTemp(2, 0, 0)]).toEqual([null, null]);
});

test("stores the client library's data per account", async () => {
  const { db } = deps;
  const vault = createVault([keyOf(1)]);
  const [mine, other] = [await account(), await account()];
  const storage = createAccountStorage(db, vault, mine, async () => {});
  const stranger = createAccountStorage(db, vault, other, async () => {});
  const [key, temporary] = [new Uint8Array(randomBytes(256)), new Uint8Array(randomBytes(256))];

  await storage.authKeys.set(2, key);
  await storage.authKeys.setTemp(2, 0, temporary, 1_000_000);
  expect(new Uint8Array((await storage.authKeys.get(2)) ?? [])).toEqual(key);
  expect(new Uint8Array((await storage.authKeys.getTemp(2, 0, 999_999)) ?? [])).toEqual(temporary);
  expect(await storage.authKeys.getTemp(2, 0, 1_000_000)).toBeNull();
  expect([await storage.authKeys.get(4), await stranger.authKeys.get(2)]).toEqual([null, null]);

  await storage.kv.set("dc_main", new Uint8Array([1, 2]));
  await storage.kv.set("dc_main", new Uint8Array([3]));
  expect([await storage.kv.get("dc_main"), await stranger.kv.get("dc_main")]).toEqual([new Uint8Array([3]), null]);

  const peer = {
    id: 77,
    accessHash: "abc",
    isMin: false,
    usernames: ["Anna_K"],
    updated: Date.now(),
    phone: "4915100",
    complete: new Uint8Array([9, 9]),
  };
  const owner = { owner_id: mine.userId };
  const sent = { peer_user_id: "77", message_id: 1, is_outgoing: false, sent_at: deps.clock.iso() };
  await addRow(db, "messages", { ...owner, account_user_id: mine.telegramUserId, ...sent });
  await addRow(db, "reminders", { ...owner, stage: "Any", channel_id: "-1001234567890", template: "{name}" });
  await storage.peers.store(peer);
  await storage.peers.store({ ...peer, id: -1_001_234_567_890, usernames: [], isMin: true, phone: "4915101" });
  expect(await storage.peers.getByUsername("ANNA_k")).toEqual(peer);
  expect(await storage.peers.getByPhone("4915101")).toBeNull();
  await storage.refMessages.store(77, 100, 4);
  await storage.driver.save?.();
  expect(await storage.refMessages.getByPeer(77)).toBeNull();
  const stored = { ...peer, usernames: ["anna_k"] };
  expect(await storage.peers.getById(77)).toEqual(stored);
  expect(await storage.peers.getByUsername("ANNA_k")).toEqual(stored);
  expect(await storage.peers.getByPhone("4915100")).toEqual(stored);
  expect(await storage.peers.getByPhone("4915101")).toBeNull();
  expect((await storage.peers.getById(-1_001_234_567_890))?.isMin).toBe(true);
  expect(await stranger.peers.getById(77)).toBeNull();

  await storage.refMessages.store(77, 100, 5);
  await storage.refMessages.store(77, 100, 9);
  expect(await storage.refMessages.getByPeer(77)).toEqual([100, 9]);
  await storage.refMessages.delete(100, [9]);
  expect(await storage.refMessages.getByPeer(77)).toEqual([100, 5]);
  await storage.refMessages.deleteByPeer(77);
  expect(await storage.refMessages.getByPeer(77)).toBeNull();

  await storage.authKeys.deleteByDc(2);
  expect([await storage.authKeys.get(2), await storage.authKeys.getTemp(2, 0, 0)]).toEqual([null, null]);
});

test("waits for the database on a peer lookup until the account is released", async () => {
  const mine = await account();
  let failures = 2;
  const shaky = deps.db.withPlugin({
    transformQuery({ node }) {
      failures -= 1;
      if (failures >= 0) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const closing = new AbortController();
  const storage = createAccountStorage(shaky, createVault([keyOf(1)]), mine, async () => {}, closing.signal);
  expect(await storage.peers.getById(7)).toBeNull();
  expect(failures).toBe(-1);
  failures = Infinity;
  const waiting = Promise.resolve(storage.refMessages.getByPeer(7));
  closing.abort(new Error("let go"));
  await expect(waiting).rejects.toThrow(/ECONNREFUSED|aborted/);
});

test("encrypts new keys with the newest version, and all after a rotation", async () => {
  const { db } = deps;
  const [one, two] = [keyOf(1), keyOf(2)];
  const keys = Array.from({ length: 100 }, () => new Uint8Array(randomBytes(256)));
  const owners: Awaited<ReturnType<typeof account>>[] = [];
  const keysOf = (place: number, ...versions: ReturnType<typeof keyOf>[]) =>
    createAccountStorage(db, createVault(versions), owners[place] ?? { accountId: "", userId: "" }, async () => {})
      .authKeys;
  for (const [place, key] of keys.entries()) {
    owners.push(await account());
    await keysOf(place, one).set(2, key);
  }
  const both = createVault([one, two]);
  expect(await rotateAuthKeys(db, both)).toBe(100);
  expect(await rotateAuthKeys(db, both)).toBe(0);
  for (const [place, key] of keys.entries())
    expect(new Uint8Array((await keysOf(place, two).get(2)) ?? [])).toEqual(key);
});

test("does not decrypt a key in another account's row", async () => {
  const { db } = deps;
  const vault = createVault([keyOf(1)]);
  const [victim, thief] = [await account(), await account()];
  await createAccountStorage(db, vault, victim, async () => {}).authKeys.set(2, randomBytes(256));
  await changeRows(db, "telegram_auth_keys", { account_id: victim.accountId }, { account_id: thief.accountId });
  const stolen = createAccountStorage(db, vault, thief, async () => {}).authKeys.get(2);
  await expect(stolen).rejects.toThrow(/authenticate/);
});
