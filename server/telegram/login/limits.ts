import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { deriveKey } from "../../core/secrets.ts";
import type { Deps } from "../../core/deps.ts";
import { networkOf } from "../../core/network.ts";
import { tooMany } from "../../core/problem.ts";
import type { Tx } from "../../db/index.ts";
import { timeLeft } from "./problems.ts";

type Request = { userId: string; phone: string; address: string };

const LOCK = 7_351_004;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Who may ask for how many login codes: a user for one phone once a minute and five times an hour, a phone ten times a day,
 * an address twenty times an hour (not while Telegram is simulated: everyone there has one). A completed login is forgiven.
 */
export function createCodeLimits({ db, clock, config }: Pick<Deps, "db" | "clock" | "config">) {
  const [oldest] = config.encryptionKeys;
  if (oldest === undefined) throw new Error("ENCRYPTION_KEYS holds no key.");
  const key = deriveKey(oldest.key, "telegram code limits");
  const hash = (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  const limitsAddresses = config.telegram.kind === "real";

  return {
    /** @throws ProblemError 429 with the time left */
    async admit({ userId, phone, address }: Request): Promise<void> {
      const at = clock.now();
      await db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
        const byPhone = { column: "phone_hash", value: hash(phone) } as const;
        const byAddress = { column: "address_hash", value: hash(networkOf(address)) } as const;
        await refuseOver(
          tx,
          { ...byPhone, userId, count: 1, spanMs: MINUTE, at },
          "A code was sent moments ago. Use it, or ask again in",
        );
        await refuseOver(
          tx,
          { ...byPhone, userId, count: 5, spanMs: HOUR, at },
          "Too many codes were asked for this phone. Ask again in",
        );
        await refuseOver(
          tx,
          { ...byPhone, count: 10, spanMs: DAY, at },
          "Too many codes were asked for this phone. Ask again in",
        );
        if (limitsAddresses)
          await refuseOver(
            tx,
            { ...byAddress, count: 20, spanMs: HOUR, at },
            "Too many codes were asked from here. Ask again in",
          );
        await tx
          .deleteFrom("telegram_code_requests")
          .where("at", "<", new Date(at - DAY).toISOString())
          .execute();
        await tx
          .insertInto("telegram_code_requests")
          .values({
            user_id: userId,
            phone_hash: byPhone.value,
            address_hash: byAddress.value,
            at: new Date(at).toISOString(),
          })
          .execute();
      });
    },
    async forgive(userId: string, phone: string): Promise<void> {
      await db
        .deleteFrom("telegram_code_requests")
        .where("user_id", "=", userId)
        .where("phone_hash", "=", hash(phone))
        .execute();
    },
  };
}

async function refuseOver(
  tx: Tx,
  limit: {
    column: "phone_hash" | "address_hash";
    value: string;
    userId?: string;
    count: number;
    spanMs: number;
    at: number;
  },
  words: string,
): Promise<void> {
  let query = tx
    .selectFrom("telegram_code_requests")
    .select("at")
    .where(limit.column, "=", limit.value)
    .where("at", ">", new Date(limit.at - limit.spanMs).toISOString())
    .orderBy("at", "desc")
    .offset(limit.count - 1)
    .limit(1);
  if (limit.userId !== undefined) query = query.where("user_id", "=", limit.userId);
  const oldest = await query.executeTakeFirst();
  if (oldest === undefined) return;
  const seconds = Math.ceil((Date.parse(oldest.at) + limit.spanMs - limit.at) / 1000);
  throw tooMany(`${words} ${timeLeft(seconds)}.`, seconds, "too_many_codes");
}
