import { serialize } from "../wire/tl.ts";
import { keysOfUser } from "../world/logins.ts";
import type { Hub, Pushable, World } from "../world/world.ts";
import { packed, type Session } from "./session.ts";

/** What a session needs of the connection it is on. */
export type Line = { readonly isLive: boolean; end(): void };

/** A session with the key it belongs to and the connection it is on, if any. */
export type LiveSession = {
  readonly session: Session;
  /** the permanent key, or a temporary one that is not bound yet */
  keyId: string;
  wireKeyId: string;
  line: Line | null;
  /** when it first asked for the updates state, in order; 0 while it has not */
  mainSince: number;
};

/** How long a session without a connection is remembered; Telegram, too, forgets them. */
const FORGOTTEN_AFTER_MS = 600_000;

/** All sessions, by which updates find their way. */
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

  /** Forgets a session (destroy_session); false when there is none. */
  remove(keyId: string, sessionId: Buffer): boolean {
    for (const [name, live] of this.#all) {
      if (live.keyId !== keyId || !live.session.id.equals(sessionId)) continue;
      live.session.detach();
      return this.#all.delete(name);
    }
    return false;
  }

  /** Forgets every session of a key. */
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
   * Whether a call on `live` proves that two programs use one key at once: another main session began on the same key
   * later, is connected, and yet the older one calls again. A client that reconnects or starts a new session closes the
   * old connection first, and never calls on it again.
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

  /** The keys of which a connected session asked for the state of updates: what is pushed to them is heard. */
  hearing(): Set<string> {
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
      const body = byLayer.get(session.layer) ?? packed(serialize(updates, session.layer));
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
