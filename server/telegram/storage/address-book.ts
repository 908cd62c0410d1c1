import type { IPeersRepository, IReferenceMessagesRepository } from "@mtcute/core";
import { sql } from "kysely";
import type { Db } from "../../db/index.ts";
import type { Account } from "./auth-keys.ts";
import { createPeerReferences, createPeers } from "./peers.ts";

type PeerInfo = IPeersRepository.PeerInfo;

/** An account's peers (access hashes, names), written in one statement per batch. */
export type AddressBook = {
  peers: IPeersRepository;
  references: IReferenceMessagesRepository;
  /** Writes needed peers that are not stored yet. @throws when the write fails; they stay for the next flush */
  flush(): Promise<void>;
  /** Keeps this peer from being dropped, because the product will need it. */
  expect(id: number): void;
  /** Waits for `isStored`, then writes the peers that are needed. @throws as `flush` */
  settle(isStored: () => Promise<void>): Promise<void>;
  /** Drops all but the last few peers that nothing expects. Call it after all updates so far have been delivered. */
  dropStrangers(): void;
};

/** How many strangers are kept in memory. */
const STRANGERS = 200;
/** How many are kept while their updates have not been passed on; senders are among them and not expected yet. */
const STRANGERS_AT_ONCE = 20_000;
/** An unchanged peer is written again only after this time. */
const REWRITTEN_AFTER_MS = 3_600_000;

/**
 * Collects the peers that the library sees (up to a hundred per response, each of which would cost two statements) until the library ends a
 * batch. Collected peers are already readable. Only peers with messages, leads, channels of reminders and the account itself are written;
 * of all others the last few are kept in memory, for the calls that follow.
 */
export function createAddressBook(db: Db, { accountId, userId }: Account): AddressBook {
  const stored = createPeers(db, accountId);
  const references = createPeerReferences(db, accountId);
  const waiting = new Map<number, PeerInfo>();
  const strangers = new Map<number, PeerInfo>();
  const expected = new Set<number>();
  let flushing: Promise<void> = Promise.resolve();

  /** @param most how many of the strangers are checked again */
  const write = async (most: number): Promise<void> => {
    // Once each; the newer entry of a stranger seen again wins.
    const met = [...new Map([...[...strangers].slice(-most), ...waiting])];
    if (met.length === 0) return;
    const isWanted = await findWanted(db, { accountId, userId }, met);
    const batch = met.filter(([, peer]) => isWanted(peer));
    if (batch.length > 0) await writeBatch(batch);
    // A peer seen again in the meantime waits for the next batch.
    for (const [id, peer] of met) {
      if (waiting.get(id) === peer) waiting.delete(id);
      strangers.delete(id);
      if (!isWanted(peer)) strangers.set(id, peer);
    }
    forget(STRANGERS_AT_ONCE);
  };
  const forget = (most: number): void => {
    if (strangers.size <= most) return;
    const forgettable = [...strangers.keys()].filter((id) => !expected.has(id));
    for (const id of forgettable.slice(0, -most)) strangers.delete(id);
  };
  const writeBatch = async (batch: readonly [number, PeerInfo][]): Promise<void> => {
    const rows = batch.map(([id, peer]) => ({
      peer_id: id,
      access_hash: peer.accessHash,
      is_min: peer.isMin,
      usernames: peer.usernames.map((name) => name.toLowerCase()),
      phone: peer.phone ?? null,
      updated_ms: peer.updated,
      complete: Buffer.from(peer.complete).toString("base64"),
    }));
    await sql`
      with news as (
        insert into public.telegram_peers as p (account_id, peer_id, access_hash, is_min, usernames, phone, updated_ms, complete)
        select ${accountId}::uuid, r.peer_id, r.access_hash, r.is_min, array(select jsonb_array_elements_text(r.usernames)), r.phone,
          r.updated_ms, decode(r.complete, 'base64')
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(peer_id bigint, access_hash text, is_min boolean, usernames jsonb,
          phone text, updated_ms bigint, complete text)
        on conflict (account_id, peer_id) do update set access_hash = excluded.access_hash, is_min = excluded.is_min,
          usernames = excluded.usernames, phone = excluded.phone, updated_ms = excluded.updated_ms, complete = excluded.complete
        where p.updated_ms < excluded.updated_ms - ${REWRITTEN_AFTER_MS}::int
          or (p.access_hash, p.is_min, p.usernames, p.phone, p.complete)
            is distinct from (excluded.access_hash, excluded.is_min, excluded.usernames, excluded.phone, excluded.complete)
        returning p.peer_id
      )
      delete from public.telegram_peer_references f using news
      where f.account_id = ${accountId} and f.peer_id = news.peer_id`.execute(db);
  };
  const flush = (most = STRANGERS): Promise<void> => {
    flushing = flushing.catch(() => {}).then(() => write(most));
    return flushing;
  };
  const find = (isMeant: (peer: PeerInfo) => boolean) =>
    [...waiting.values(), ...strangers.values()].find(isMeant) ?? null;

  return {
    flush: () => flush(),
    expect: (id) => void expected.add(id),
    async settle(isStored) {
      const met = [...expected];
      await isStored();
      await flush(STRANGERS_AT_ONCE);
      for (const id of met) expected.delete(id);
      forget(STRANGERS);
    },
    dropStrangers: () => forget(STRANGERS),
    references: {
      ...references,
      // A peer with its own access hash needs no references; they are deleted in the batch that stores it.
      deleteByPeer: async (peerId) => (waiting.has(peerId) ? undefined : references.deleteByPeer(peerId)),
    },
    peers: {
      store: (peer) => void waiting.set(peer.id, peer),
      getById: async (id) => waiting.get(id) ?? strangers.get(id) ?? stored.getById(id),
      getByUsername: async (username) =>
        find(
          ({ isMin, usernames }) => !isMin && usernames.some((name) => name.toLowerCase() === username.toLowerCase()),
        ) ?? stored.getByUsername(username),
      getByPhone: async (phone) => find((peer) => !peer.isMin && peer.phone === phone) ?? stored.getByPhone(phone),
      async deleteAll() {
        waiting.clear();
        strangers.clear();
        await stored.deleteAll();
      },
    },
  };
}

/** Returns which of these the product needs: peers stored already, the account, its leads, the channels of its reminders. */
async function findWanted(
  db: Db,
  { accountId, userId }: Account,
  met: readonly [number, PeerInfo][],
): Promise<(peer: PeerInfo) => boolean> {
  const { rows } = await sql<{ ids: string[]; channels: string[] }>`
    select array(
      select met.peer from unnest(${met.map(([id]) => id)}::bigint[]) as met(peer)
      where exists (select from telegram_peers p where p.account_id = ${accountId}::uuid and p.peer_id = met.peer)
        or exists (select from telegram_sessions s where s.id = ${accountId}::uuid and s.telegram_user_id = met.peer)
        or exists (select from leads l where l.owner_id = ${userId}::uuid and l.telegram_user_id = met.peer)
        or exists (select from messages m where m.owner_id = ${userId}::uuid and m.peer_user_id = met.peer)
      except select e.telegram_user_id from exclusions e where e.owner_id = ${userId}::uuid and e.telegram_user_id = any(${met.map(([id]) => id)}::bigint[])
    )::text[] as ids, array(select lower(channel_id) from reminders where owner_id = ${userId}::uuid) as channels`.execute(
    db,
  );
  const ids = new Set(rows[0]?.ids);
  const channels = new Set(rows[0]?.channels);
  return ({ id, usernames }) =>
    ids.has(String(id)) || channels.has(String(id)) || usernames.some((name) => channels.has(`@${name.toLowerCase()}`));
}
