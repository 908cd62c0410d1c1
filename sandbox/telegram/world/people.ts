import type { tl } from "@mtcute/core";
import { accessHash, unixTime, type World } from "./world.ts";

/** The error for a refused sender; for paid messages it contains the price in stars. */
export type Privacy = "USER_PRIVACY_RESTRICTED" | "PRIVACY_PREMIUM_REQUIRED" | "ALLOW_PAYMENT_REQUIRED_25";

export type Person = {
  user_id: number;
  first_name: string;
  last_name: string | null;
  username: string | null;
  phone: string | null;
  is_bot: number;
  is_deleted: number;
  privacy: Privacy | null;
};

export type Account = Person & {
  dc_id: number;
  srp_salt1: Uint8Array | null;
  srp_salt2: Uint8Array | null;
  srp_verifier: Uint8Array | null;
  hint: string | null;
  created_at: number;
};

/** Telegram's own account, which sends login codes and warnings. */
export const SERVICE_USER_ID = 777000;
const FIRST_USER_ID = 5_000_000_001;

const ACCOUNT = "select * from people natural join accounts";

/** Returns a phone number as digits after a plus, or null if it is invalid. */
export function normalisePhone(phone: string): string | null {
  const digits = phone.replace(/[\s()+.-]/g, "");
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null;
}

export const personById = (world: World, userId: number): Person | undefined =>
  world.store.get<Person>("select * from people where user_id = ?", userId);

export const personByUsername = (world: World, username: string): Person | undefined =>
  world.store.get<Person>("select * from people where username = ?", username);

export const accountById = (world: World, userId: number): Account | undefined =>
  world.store.get<Account>(`${ACCOUNT} where user_id = ?`, userId);

export const accountByPhone = (world: World, phone: string): Account | undefined =>
  world.store.get<Account>(`${ACCOUNT} where phone = ?`, phone);

export const allAccounts = (world: World): Account[] => world.store.all<Account>(`${ACCOUNT} order by user_id`);

export type NewPerson = {
  user_id?: number | undefined;
  first_name: string;
  last_name?: string | undefined;
  username?: string | undefined;
  phone?: string | undefined;
  is_bot?: boolean | undefined;
};

/** Adds a user; the caller has checked that username and phone number are free. */
export function addPerson(world: World, person: NewPerson): Person {
  const { store } = world;
  const highest = store.get<{ id: number | null }>("select max(user_id) as id from people")?.id ?? 0;
  const userId = person.user_id ?? Math.max(FIRST_USER_ID, highest + 1);
  store.run(
    "insert into people (user_id, first_name, last_name, username, phone, is_bot) values (?, ?, ?, ?, ?, ?)",
    userId,
    person.first_name,
    person.last_name ?? null,
    person.username ?? null,
    person.phone ?? null,
    person.is_bot ? 1 : 0,
  );
  const added = personById(world, userId);
  if (added === undefined) throw new Error("an added user was not found");
  return added;
}

/** Creates an account that can log in, on its home data centre. */
export function addAccount(world: World, person: NewPerson & { phone: string }, dcId: number): Account {
  const { user_id: userId } = addPerson(world, person);
  world.store.run("insert into accounts (user_id, dc_id, created_at) values (?, ?, ?)", userId, dcId, unixTime(world));
  world.store.run("insert into boxes (owner_id) values (?)", userId);
  const account = accountById(world, userId);
  if (account === undefined) throw new Error("an added account was not found");
  return account;
}

export const isContact = (world: World, userId: number, otherId: number): boolean =>
  world.store.get("select 1 from contacts where user_id = ? and contact_id = ?", userId, otherId) !== undefined;

export function setContact(world: World, userId: number, otherId: number, contact: boolean): void {
  const sql = contact
    ? "insert or ignore into contacts (user_id, contact_id) values (?, ?)"
    : "delete from contacts where user_id = ? and contact_id = ?";
  world.store.run(sql, userId, otherId);
}

export const hasBlocked = (world: World, blockerId: number, blockedId: number): boolean =>
  world.store.get("select 1 from blocks where blocker_id = ? and blocked_id = ?", blockerId, blockedId) !== undefined;

export function setBlocked(world: World, blockerId: number, blockedId: number, blocked: boolean): void {
  const sql = blocked
    ? "insert or ignore into blocks (blocker_id, blocked_id) values (?, ?)"
    : "delete from blocks where blocker_id = ? and blocked_id = ?";
  world.store.run(sql, blockerId, blockedId);
}

/** Returns the user constructor as `viewerId` sees it: access hash, contact flag and phone are specific to the viewer. */
export function userFor(world: World, viewerId: number, person: Person): tl.RawUser {
  const self = person.user_id === viewerId;
  const base = {
    _: "user" as const,
    self,
    id: person.user_id,
    accessHash: accessHash(world, viewerId, { type: "user", id: person.user_id }),
  };
  if (person.is_deleted) return { ...base, deleted: true };
  const contact = isContact(world, viewerId, person.user_id);
  const optional: { -readonly [Key in "lastName" | "username" | "phone" | "botInfoVersion"]?: tl.RawUser[Key] } = {};
  if (person.last_name !== null) optional.lastName = person.last_name;
  if (person.username !== null) optional.username = person.username;
  if (person.phone !== null && (self || contact)) optional.phone = person.phone.slice(1);
  if (person.is_bot) optional.botInfoVersion = 1;
  const service = person.user_id === SERVICE_USER_ID;
  return {
    ...base,
    ...optional,
    firstName: person.first_name,
    bot: person.is_bot === 1,
    contact,
    mutualContact: contact && isContact(world, person.user_id, viewerId),
    verified: service,
    support: service,
    contactRequirePremium: person.privacy === "PRIVACY_PREMIUM_REQUIRED" && !contact,
    status: { _: person.is_bot ? "userStatusEmpty" : "userStatusRecently" },
  };
}
