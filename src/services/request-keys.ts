import * as v from "valibot";
import { newKey } from "../../domain/new-key.ts";
import { readJson } from "../../domain/read-json.ts";
import type { SafeStorage } from "./storage.ts";

const STORED = "leadloom.request_keys";
/** The server keeps responses for a week. After a day, the user means a new request. */
const LIFETIME_MS = 86_400_000;

const StoredKeys = v.record(v.string(), v.object({ key: v.string(), at: v.number() }));

/**
 * Idempotency keys of calls whose outcome is not known yet. Kept in session storage: a reload aborts calls in flight, which may have
 * arrived.
 */
export function createRequestKeys(storage: SafeStorage, now: () => number = Date.now) {
  const load = () =>
    Object.fromEntries(
      Object.entries(readJson(StoredKeys, storage.get(STORED) ?? "{}") ?? {}).filter(
        ([, { at }]) => now() - at < LIFETIME_MS,
      ),
    );
  return {
    /** Returns the key of a call: the one of an attempt without an outcome, or a new one. */
    keyOf(call: string): string {
      const stored = load();
      const name = digestOf(call);
      const { key } = (stored[name] ??= { key: newKey(), at: now() });
      storage.set(STORED, JSON.stringify(stored));
      return key;
    },
    /** Forgets the key: the server has answered. */
    settle(call: string): void {
      const { [digestOf(call)]: settled, ...others } = load();
      if (settled === undefined) return;
      if (Object.keys(others).length === 0) storage.remove(STORED);
      else storage.set(STORED, JSON.stringify(others));
    },
  };
}

/** Names a call of any length in 53 bits (cyrb53). The server compares the content itself. */
function digestOf(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
