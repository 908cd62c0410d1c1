import { SandboxError } from "../errors.ts";
import {
  addPerson,
  isContact,
  personByUsername,
  personById,
  setBlocked,
  setContact,
  type Person,
  type Privacy,
} from "../world/people.ts";
import { peersFor, toPeer, updatesWith } from "../world/updates.ts";
import type { World } from "../world/world.ts";
import type { tl } from "@mtcute/core";
import { requireAccount, requireFreeUsername, requirePerson, parseUsername } from "./inputs.ts";

/** A message's sender: found by id or username, otherwise a new user. An empty first name keeps the name. */
export type Writer = {
  user_id?: number | undefined;
  first_name: string;
  last_name?: string | undefined;
  username?: string | undefined;
  is_bot?: boolean | undefined;
  is_contact?: boolean | undefined;
};

/** Sends an account's clients an update about a user. */
function pushUpdate(world: World, accountId: number, person: Person, update: tl.TypeUpdate): void {
  world.store.afterCommit(() => {
    const peers = peersFor(world, accountId, [{ type: "user", id: person.user_id }]);
    world.hub.pushToUser(accountId, updatesWith(world, [update], peers));
    world.changed();
  });
}

function rename(world: World, accountId: number, person: Person, writer: Writer): Person {
  const firstName = writer.first_name || person.first_name;
  const lastName = writer.last_name ?? person.last_name;
  const username = writer.username === undefined ? person.username : parseUsername(writer.username);
  const same = firstName === person.first_name && lastName === person.last_name && username === person.username;
  if (same) return person;
  if (username !== null && username.toLowerCase() !== person.username?.toLowerCase())
    requireFreeUsername(world, username);
  world.store.run(
    "update people set first_name = ?, last_name = ?, username = ? where user_id = ?",
    firstName,
    lastName,
    username,
    person.user_id,
  );
  pushUpdate(world, accountId, person, {
    _: "updateUserName",
    userId: person.user_id,
    firstName,
    lastName: lastName ?? "",
    usernames: username === null ? [] : [{ _: "username", active: true, editable: true, username }],
  });
  return { ...person, first_name: firstName, last_name: lastName, username };
}

/** Returns the sender of a message, created or updated as described. */
export function writerFor(world: World, accountId: number, writer: Writer): Person {
  if (writer.first_name === "" && writer.user_id === undefined) {
    throw new SandboxError(422, "invalid", "A new person needs a first_name.");
  }
  const known =
    writer.user_id === undefined
      ? writer.username === undefined
        ? undefined
        : personByUsername(world, parseUsername(writer.username))
      : personById(world, writer.user_id);
  if (known?.is_deleted)
    throw new SandboxError(409, "deleted", "This person has deleted the account and cannot write.");
  const person =
    known === undefined
      ? addPerson(world, {
          ...writer,
          username: writer.username === undefined ? undefined : requireFreeUsername(world, writer.username),
        })
      : rename(world, accountId, known, writer);
  if (writer.is_bot !== undefined) {
    world.store.run("update people set is_bot = ? where user_id = ?", writer.is_bot ? 1 : 0, person.user_id);
  }
  if (writer.is_contact !== undefined && writer.is_contact !== isContact(world, accountId, person.user_id)) {
    setContact(world, accountId, person.user_id, writer.is_contact);
    pushUpdate(world, accountId, person, {
      _: "updatePeerSettings",
      peer: toPeer({ type: "user", id: person.user_id }),
      settings: { _: "peerSettings" },
    });
  }
  return personById(world, person.user_id) ?? person;
}

/** The user blocks or unblocks the account; while blocked, sends get USER_IS_BLOCKED. */
export function setBlockedBy(world: World, phone: string, userId: number, blocked: boolean): void {
  const account = requireAccount(world, phone);
  setBlocked(world, requirePerson(world, userId).user_id, account.user_id, blocked);
  world.changed();
}

/** The user deletes the account: it becomes a Deleted Account, and sends get INPUT_USER_DEACTIVATED. */
export function deletePerson(world: World, phone: string, userId: number): void {
  const account = requireAccount(world, phone);
  const person = requirePerson(world, userId);
  if (person.user_id === account.user_id) {
    throw new SandboxError(422, "invalid", "An account cannot delete itself here; end its sessions with revoke.");
  }
  world.store.run("update people set is_deleted = 1, username = null, phone = null where user_id = ?", person.user_id);
  pushUpdate(world, account.user_id, person, { _: "updateUser", userId: person.user_id });
}

/** Sets who may write to the user first: everyone (null), only contacts, or only Premium accounts. */
export function setPrivacy(world: World, phone: string, userId: number, privacy: Privacy | null): void {
  requireAccount(world, phone);
  world.store.run("update people set privacy = ? where user_id = ?", privacy, requirePerson(world, userId).user_id);
  world.changed();
}

export function setBot(world: World, phone: string, userId: number, isBot: boolean): void {
  requireAccount(world, phone);
  world.store.run(
    "update people set is_bot = ? where user_id = ?",
    isBot ? 1 : 0,
    requirePerson(world, userId).user_id,
  );
  world.changed();
}
