import { SandboxError } from "../errors.ts";
import { channelByUsername } from "../world/groups.ts";
import {
  accountByPhone,
  normalisePhone,
  personById,
  personByUsername,
  type Account,
  type Person,
} from "../world/people.ts";
import type { World } from "../world/world.ts";

const refuse = (message: string): never => {
  throw new SandboxError(422, "invalid", message);
};

export function parsePhone(phone: string): string {
  return normalisePhone(phone) ?? refuse(`'${phone}' is not a phone number: give its digits with the country code.`);
}

export function requireAccount(world: World, phone: string): Account {
  const normal = parsePhone(phone);
  const account = accountByPhone(world, normal);
  if (account === undefined)
    throw new SandboxError(404, "unknown_account", `No simulated account has the phone ${normal}.`);
  return account;
}

export function requirePerson(world: World, userId: number): Person {
  const person = personById(world, userId);
  if (person === undefined) throw new SandboxError(404, "unknown_person", `No simulated person has the id ${userId}.`);
  return person;
}

/** Returns a valid username without its @. */
export function parseUsername(username: string): string {
  const name = username.replace(/^@/, "");
  return /^[A-Za-z]\w{3,31}$/.test(name)
    ? name
    : refuse(`'${username}' is not a username: 4 to 32 letters, digits or underscores, a letter first.`);
}

export function requireFreeUsername(world: World, username: string): string {
  const name = parseUsername(username);
  if (personByUsername(world, name) !== undefined || channelByUsername(world, name) !== undefined) {
    throw new SandboxError(409, "username_taken", `The username @${name} is taken.`);
  }
  return name;
}

export function requireText(text: string): string {
  if (text.length > 4096) return refuse("A message holds at most 4096 characters.");
  return text;
}

/** Returns the token of `tg://login?token=…`. */
export function tokenOfUrl(qrUrl: string): Buffer {
  const token = /^tg:\/\/login\?token=([\w-]+=*)$/.exec(qrUrl)?.[1];
  return Buffer.from(token ?? refuse("This is not a login code: its text is tg://login?token=…"), "base64url");
}
