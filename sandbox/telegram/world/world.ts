import { Long, type tl } from "@mtcute/core";
import type { Clock } from "../../door.ts";
import { hmac } from "../wire/crypto.ts";
import type { Store } from "./store.ts";

export type Logger = { debug(fields: object, message: string): void; warn(fields: object, message: string): void };

export type Dc = { id: number; ipAddress: string; port: number };

/** An Updates constructor. */
export type Pushable = { readonly _: string; readonly [field: string]: unknown } | tl.TypeUpdates;

/** The live sessions, to which updates are pushed. */
export type Hub = {
  /** to every session of the user but, if given, the one that already has it in its answer */
  pushToUser(userId: number, updates: Pushable, exceptSession?: object): void;
  pushToKey(keyId: string, updates: Pushable): void;
  /** ends the key's connections after what was pushed has left */
  disconnectKey(keyId: string): void;
};

/** What every part of the network works with. */
export type World = {
  readonly store: Store;
  /** dates, codes, tokens and waits follow product time, the protocol the wall clock as its clients do */
  readonly clock: Clock;
  readonly logger: Logger;
  /** makes access hashes, salts and fake SRP answers */
  readonly secret: Buffer;
  readonly dcs: readonly Dc[];
  readonly mainDcId: number;
  readonly hub: Hub;
  /** tells whoever watches that something can be seen anew */
  changed(): void;
};

export type PeerType = "user" | "chat" | "channel";
export type PeerRef = { type: PeerType; id: number };

/** Now as Telegram writes dates: whole seconds since 1970. */
export const unixTime = (world: World): number => Math.floor(world.clock.now() / 1000);

export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** A 64-bit number that only this network can make: access hashes differ per account and thing. */
export function secretLong(world: Pick<World, "secret">, text: string): Long {
  const bytes = hmac(world.secret, text);
  return new Long(bytes.readInt32LE(0), bytes.readInt32LE(4));
}

export const accessHash = (world: World, viewerId: number, peer: PeerRef): Long =>
  secretLong(world, `access:${viewerId}:${peer.type}:${peer.id}`);

/** Channels as others name them: -100 and the id (https://core.telegram.org/api/bots/ids). */
export const markedId = (peer: PeerRef): number => {
  if (peer.type === "user") return peer.id;
  return peer.type === "chat" ? -peer.id : -1_000_000_000_000 - peer.id;
};
