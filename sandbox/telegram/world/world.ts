import { Long, type tl } from "@mtcute/core";
import type { Clock } from "../../server-imports.ts";
import { hmac } from "../wire/crypto.ts";
import type { Store } from "./store.ts";

export type Logger = { debug(fields: object, message: string): void; warn(fields: object, message: string): void };

export type Dc = { id: number; ipAddress: string; port: number };

export type Pushable = { readonly _: string; readonly [field: string]: unknown } | tl.TypeUpdates;

/** The live sessions, to which updates are pushed. */
export type Hub = {
  /** pushes to all of the user's sessions, except the one that has the update in its response */
  pushToUser(userId: number, updates: Pushable, exceptSession?: object): void;
  pushToKey(keyId: string, updates: Pushable): void;
  /** ends the key's connections after pending pushes have been sent */
  disconnectKey(keyId: string): void;
};

/** Shared by all parts of the network. */
export type World = {
  readonly store: Store;
  /** dates, codes, tokens and waits follow the product's clock; the protocol follows the wall clock, as clients do */
  readonly clock: Clock;
  readonly logger: Logger;
  /** derives access hashes, salts and fake SRP responses */
  readonly secret: Buffer;
  readonly dcs: readonly Dc[];
  readonly mainDcId: number;
  readonly hub: Hub;
  /** notifies listeners of a visible change */
  changed(): void;
};

export type PeerType = "user" | "chat" | "channel";
export type PeerRef = { type: PeerType; id: number };

/** The current time in whole Unix seconds, as Telegram writes dates. */
export const unixTime = (world: World): number => Math.floor(world.clock.now() / 1000);

export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Derives a secret 64-bit number, such as an access hash, which differs per account and object. */
export function secretLong(world: Pick<World, "secret">, text: string): Long {
  const bytes = hmac(world.secret, text);
  return new Long(bytes.readInt32LE(0), bytes.readInt32LE(4));
}

export const accessHash = (world: World, viewerId: number, peer: PeerRef): Long =>
  secretLong(world, `access:${viewerId}:${peer.type}:${peer.id}`);

/** Returns a peer's marked id, -100 and the id for channels (https://core.telegram.org/api/bots/ids). */
export const markedId = (peer: PeerRef): number => {
  if (peer.type === "user") return peer.id;
  return peer.type === "chat" ? -peer.id : -1_000_000_000_000 - peer.id;
};
