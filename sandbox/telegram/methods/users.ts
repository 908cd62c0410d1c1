import type { tl } from "@mtcute/core";
import { RpcError } from "../errors.ts";
import { hasBlocked, userFor } from "../world/people.ts";
import { self, type CallContext, type Handlers } from "./context.ts";
import { resolveUser } from "./peers.ts";

/** users.getUsers names nobody it does not know, rather than refusing the rest. */
function knownUser(context: CallContext, input: tl.TypeInputUser): tl.TypeUser[] {
  const { user_id: selfId } = self(context);
  try {
    return [userFor(context.world, selfId, resolveUser(context.world, selfId, input))];
  } catch (error) {
    if (error instanceof RpcError) return [];
    throw error;
  }
}

export const userMethods: Handlers = {
  "users.getUsers": (context, { id }) => id.flatMap((input) => knownUser(context, input)),
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
