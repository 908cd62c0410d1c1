import { Long } from "@mtcute/core";
import type { AuthKey } from "../world/logins.ts";
import { secretLong, type World } from "../world/world.ts";

/** A salt is issued for half an hour and accepted for another half hour (https://core.telegram.org/mtproto/description#server-salt). */
const PERIOD_SECONDS = 1800;

/** The server salts of a key. They are computed, so they survive a restart without being stored. */
export class Salts {
  readonly #world: Pick<World, "secret">;
  readonly #key: Pick<AuthKey, "id" | "first_salt" | "created_at">;

  constructor(world: Pick<World, "secret">, key: Pick<AuthKey, "id" | "first_salt" | "created_at">) {
    this.#world = world;
    this.#key = key;
  }

  #ofPeriod(period: number): Long {
    const firstPeriod = Math.floor(this.#key.created_at / PERIOD_SECONDS);
    if (period === firstPeriod) return Long.fromBytesLE([...this.#key.first_salt]);
    return secretLong(this.#world, `salt:${this.#key.id}:${period}`);
  }

  current(nowSeconds: number): Long {
    return this.#ofPeriod(Math.floor(nowSeconds / PERIOD_SECONDS));
  }

  isValid(salt: Long, nowSeconds: number): boolean {
    const period = Math.floor(nowSeconds / PERIOD_SECONDS);
    return salt.eq(this.#ofPeriod(period)) || salt.eq(this.#ofPeriod(period - 1));
  }

  future(nowSeconds: number, count: number): { validSince: number; validUntil: number; salt: Long }[] {
    const period = Math.floor(nowSeconds / PERIOD_SECONDS);
    return Array.from({ length: Math.min(Math.max(count, 1), 64) }, (_none, index) => {
      const since = (period + index) * PERIOD_SECONDS;
      return { validSince: since, validUntil: since + 2 * PERIOD_SECONDS, salt: this.#ofPeriod(period + index) };
    });
  }
}
