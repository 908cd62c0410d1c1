import type { IPeersRepository, IReferenceMessagesRepository } from "@mtcute/core";
import { sql } from "kysely";
import type { Db } from "../../db/index.ts";

type PeerInfo = IPeersRepository.PeerInfo;

/** An account's stored peers: access hashes, names, usernames. */
export function createPeers(db: Db, accountId: string): Omit<IPeersRepository, "store"> {
  const mine = () => db.selectFrom("telegram_peers").selectAll().where("account_id", "=", accountId);
  const asInfo = (row: Awaited<ReturnType<ReturnType<typeof mine>["executeTakeFirst"]>>): PeerInfo | null =>
    row === undefined
      ? null
      : {
          id: Number(row.peer_id),
          accessHash: row.access_hash,
          isMin: row.is_min,
          usernames: row.usernames,
          updated: Number(row.updated_ms),
          complete: new Uint8Array(row.complete),
          ...(row.phone === null ? {} : { phone: row.phone }),
        };
  return {
    getById: async (id) => asInfo(await mine().where("peer_id", "=", String(id)).executeTakeFirst()),
    getByUsername: async (username) =>
      asInfo(
        await mine()
          .where(sql<boolean>`usernames @> array[${username.toLowerCase()}]`)
          .where("is_min", "=", false)
          .orderBy("updated_ms", "desc")
          .executeTakeFirst(),
      ),
    getByPhone: async (phone) =>
      asInfo(await mine().where("phone", "=", phone).where("is_min", "=", false).executeTakeFirst()),
    async deleteAll() {
      await db.deleteFrom("telegram_peers").where("account_id", "=", accountId).execute();
    },
  };
}

/** Messages through which a peer without its own access hash can be addressed. */
export function createPeerReferences(db: Db, accountId: string): IReferenceMessagesRepository {
  return {
    async store(peerId, chatId, messageId) {
      // Group messages come by the thousand; users who write privately bring their own access hash.
      if (chatId < 0) return;
      await db
        .insertInto("telegram_peer_references")
        .values({ account_id: accountId, peer_id: peerId, chat_id: chatId, message_id: messageId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async getByPeer(peerId) {
      const row = await db
        .selectFrom("telegram_peer_references")
        .select(["chat_id", "message_id"])
        .where("account_id", "=", accountId)
        .where("peer_id", "=", String(peerId))
        .orderBy("message_id", "desc")
        .executeTakeFirst();
      return row === undefined ? null : [Number(row.chat_id), row.message_id];
    },
    async delete(chatId, messageIds) {
      if (messageIds.length === 0) return;
      await db
        .deleteFrom("telegram_peer_references")
        .where("account_id", "=", accountId)
        .where("chat_id", "=", String(chatId))
        .where("message_id", "in", messageIds)
        .execute();
    },
    async deleteByPeer(peerId) {
      await db
        .deleteFrom("telegram_peer_references")
        .where("account_id", "=", accountId)
        .where("peer_id", "=", String(peerId))
        .execute();
    },
    async deleteAll() {
      await db.deleteFrom("telegram_peer_references").where("account_id", "=", accountId).execute();
    },
  };
}
