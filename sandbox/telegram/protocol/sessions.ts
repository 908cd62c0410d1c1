import { serialize } from "../wire/tl.ts";
import { keysOfUser } from "../world/logins.ts";
import type { Hub, Pushable, World } from "../world/world.ts";
import { compress, type Session } from "./session.ts";

export type Line = { readonly isLive: boolean; end(): void };

/** A session with its key and its connection, if any. */
export type LiveSession = {
  readonly session: Session;
  /** the permanent key, or a temporary one that is not bound yet */
  keyId: string;
  wireKeyId: string;
  line: Line | null;
  /** order in which it first requested the updates state; 0 if it has not */
  mainSince: number;
};

/** How long a session without a connection is kept; Telegram forgets sessions too. */
const FORGOTTEN_AFTER_MS = 600_000;

/** All sessions; routes updates to them. */
export class Sessions implements Hub {
  readonly #all = new Map<string, LiveSession>();
  #mainCount = 0;
  #world: World | null = null;

  use(world: World): void {
    this.#world = world;
  }

  find(wireKeyId: string, sessionId: Buffer): LiveSession | undefined {
    return this.#all.get(`${wireKeyId}:${sessionId.toString("hex")}`);
  }

  add(live: LiveSession): void {
    const now = live.session.lastSeen;
    for (const [name, other] of this.#all) {
      if (other.line === null && now - other.session.lastSeen > FORGOTTEN_AFTER_MS) this.#all.delete(name);
    }
    this.#all.set(`${live.wireKeyId}:${live.session.id.toString("hex")}`, live);
  }

  /** Removes a session (destroy_session); returns false if there is none. */
  remove(keyId: string, sessionId: Buffer): boolean {
    for (const [name, live] of this.#all) {
      if (live.keyId !== keyId || !live.session.id.equals(sessionId)) continue;
      live.session.detach();
      return this.#all.delete(name);
    }
    return false;
  }

  removeKey(keyId: string): void {
    for (const [name, live] of this.#all) {
      if (live.keyId === keyId || live.wireKeyId === keyId) this.#all.delete(name);
    }
  }

  markMain(live: LiveSession): void {
    if (live.mainSince > 0) return;
    this.#mainCount += 1;
    live.mainSince = this.#mainCount;
  }

  /**
   * True if a call on `live` proves that two programs use the same key: a newer main session with the same key is connected, yet the older
   * one calls. A client that reconnects or starts a new session closes the old connection first and never uses it again.
   */
  isDuplicated(live: LiveSession): boolean {
    if (live.mainSince === 0) return false;
    return [...this.#all.values()].some(
      (other) =>
        other !== live &&
        other.wireKeyId === live.wireKeyId &&
        other.line?.isLive === true &&
        other.mainSince > live.mainSince,
    );
  }

  /** Returns the keys with a connected session that has requested the updates state; these receive pushed updates. */
  keysReceivingUpdates(): Set<string> {
    return new Set(
      [...this.#all.values()]
        .filter(({ mainSince, line }) => mainSince > 0 && line?.isLive === true)
        .map(({ keyId }) => keyId),
    );
  }

  #ofKeys(keyIds: ReadonlySet<string>): LiveSession[] {
    const sessions = [...this.#all.values()].filter(({ keyId, session }) => keyIds.has(keyId) && session.wantsUpdates);
    const mains = sessions.filter(({ mainSince }) => mainSince > 0);
    return mains.length > 0 ? mains : sessions;
  }

  #push(sessions: LiveSession[], updates: Pushable): void {
    const byLayer = new Map<number, Buffer>();
    for (const { session } of sessions) {
      const body = byLayer.get(session.layer) ?? compress(serialize(updates, session.layer));
      byLayer.set(session.layer, body);
      session.push(body, { content: true });
    }
  }

  pushToUser(userId: number, updates: Pushable, exceptSession?: object): void {
    if (this.#world === null) return;
    const keyIds = new Set(keysOfUser(this.#world, userId).map(({ id }) => id));
    this.#push(
      this.#ofKeys(keyIds).filter(({ session }) => session !== exceptSession),
      updates,
    );
  }

  pushToKey(keyId: string, updates: Pushable): void {
    this.#push(this.#ofKeys(new Set([keyId])), updates);
  }

  disconnectKey(keyId: string): void {
    for (const { keyId: owner, wireKeyId, session, line } of this.#all.values()) {
      if (owner !== keyId && wireKeyId !== keyId) continue;
      session.flush();
      line?.end();
    }
  }
}
