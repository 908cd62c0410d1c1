import { Long, type tl } from "@mtcute/core";
import { RpcError, rpcError } from "../errors.ts";
import { hasBlocked, isContact, userFor, type Person } from "../world/people.ts";
import type { World } from "../world/world.ts";
import { self, type CallContext, type Handlers } from "./context.ts";
import { resolveUser } from "./peers.ts";

/** users.getUsers omits unknown users instead of refusing the call. */
function userIfKnown(context: CallContext, input: tl.TypeInputUser): tl.TypeUser[] {
  const { user_id: selfId } = self(context);
  try {
    return [userFor(context.world, selfId, resolveUser(context.world, selfId, input))];
  } catch (error) {
    if (error instanceof RpcError) return [];
    throw error;
  }
}

const MOST_ASKED = 100;

/**
 * Returns what is required to message a user. There is no requirement for 'contacts only'; strangers of such a user get the Premium one.
 */
function requirementOf(world: World, selfId: number, person: Person): tl.TypeRequirementToContact {
  if (person.privacy === null || isContact(world, person.user_id, selfId)) return { _: "requirementToContactEmpty" };
  const [, stars] = /^ALLOW_PAYMENT_REQUIRED_(\d+)$/.exec(person.privacy) ?? [];
  if (stars === undefined) return { _: "requirementToContactPremium" };
  return { _: "requirementToContactPaidMessages", starsAmount: Long.fromString(stars) };
}

export const userMethods: Handlers = {
  "users.getUsers": (context, { id }) => id.flatMap((input) => userIfKnown(context, input)),
  "users.getRequirementsToContact": (context, { id }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    if (id.length > MOST_ASKED) throw rpcError("USER_ID_INVALID");
    return id.map((input) => requirementOf(world, selfId, resolveUser(world, selfId, input)));
  },
  "users.getFullUser": (context, { id }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const person = resolveUser(world, selfId, id);
    return {
      _: "users.userFull",
      fullUser: {
        _: "userFull",
        blocked: hasBlocked(world, selfId, person.user_id),
        id: person.user_id,
        settings: { _: "peerSettings" },
        notifySettings: { _: "peerNotifySettings" },
        commonChatsCount: 0,
        ...(person.is_bot ? { botInfo: { _: "botInfo" as const, userId: person.user_id } } : {}),
      },
      chats: [],
      users: [userFor(world, selfId, person)],
    };
  },
};
