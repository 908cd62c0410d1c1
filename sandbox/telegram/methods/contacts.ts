import type { tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import { channelByUsername, type Channel } from "../world/groups.ts";
import {
  normalisePhone,
  personById,
  personByUsername,
  setBlocked,
  setContact,
  userFor,
  type Person,
} from "../world/people.ts";
import { peersFor, toPeer, updatesWith } from "../world/updates.ts";
import type { PeerRef, World } from "../world/world.ts";
import { self, type Handlers } from "./context.ts";
import { resolvePeer, resolveUser } from "./peers.ts";

function resolved(
  world: World,
  viewerId: number,
  found: { person?: Person | undefined; channel?: Channel | undefined },
): tl.contacts.RawResolvedPeer {
  const { person, channel } = found;
  const ref: PeerRef | null =
    person === undefined
      ? channel === undefined
        ? null
        : { type: "channel", id: channel.channel_id }
      : { type: "user", id: person.user_id };
  if (ref === null) throw rpcError("USERNAME_NOT_OCCUPIED");
  return { _: "contacts.resolvedPeer", peer: toPeer(ref), ...peersFor(world, viewerId, [ref]) };
}

export const contactMethods: Handlers = {
  "contacts.resolveUsername": (context, { username }) => {
    const name = username.replace(/^@/, "");
    if (!/^\w{1,32}$/.test(name)) throw rpcError("USERNAME_INVALID");
    const { world } = context;
    const person = personByUsername(world, name);
    const found = { person: person?.is_deleted ? undefined : person, channel: channelByUsername(world, name) };
    return resolved(world, self(context).user_id, found);
  },
  "contacts.resolvePhone": (context, { phone }) => {
    const { world } = context;
    const normal = normalisePhone(phone);
    const person = world.store.get<Person>("select * from people where phone = ? and is_deleted = 0", normal);
    if (person === undefined) throw rpcError("PHONE_NOT_OCCUPIED");
    return resolved(world, self(context).user_id, { person });
  },
  "contacts.getContacts": (context) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const people = world.store.all<Person>(
      "select people.* from people join contacts on contact_id = people.user_id where contacts.user_id = ? order by contact_id",
      selfId,
    );
    return {
      _: "contacts.contacts",
      contacts: people.map((person) => ({ _: "contact", userId: person.user_id, mutual: false })),
      savedCount: people.length,
      users: people.map((person) => userFor(world, selfId, person)),
    };
  },
  "contacts.addContact": (context, { id }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const person = resolveUser(world, selfId, id);
    setContact(world, selfId, person.user_id, true);
    return updatesWith(world, [], peersFor(world, selfId, [{ type: "user", id: person.user_id }]));
  },
  "contacts.block": (context, { id }) => block(context, id, true),
  "contacts.unblock": (context, { id }) => block(context, id, false),
};

function block(context: Parameters<typeof self>[0], id: tl.TypeInputPeer, blocked: boolean): true {
  const { world } = context;
  const { user_id: selfId } = self(context);
  const peer = resolvePeer(world, selfId, id);
  const person = peer.type === "user" ? personById(world, peer.id) : undefined;
  if (person === undefined) throw rpcError("CONTACT_ID_INVALID");
  setBlocked(world, selfId, person.user_id, blocked);
  return true;
}
