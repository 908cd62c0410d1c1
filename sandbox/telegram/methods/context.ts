import type { tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import type { AuthKey } from "../world/logins.ts";
import type { PasswordChecks } from "../world/password.ts";
import { accountById, type Account } from "../world/people.ts";
import type { World } from "../world/world.ts";

/** Who calls, from which key and session, on which data centre. */
export type CallContext = {
  readonly world: World;
  readonly key: AuthKey;
  readonly dcId: number;
  readonly sessionId: Buffer;
  /** the live session, so that what its answer carries is not pushed to it again */
  readonly session: object;
  readonly passwords: PasswordChecks;
  /** the key the packet was encrypted with: `key`, or a temporary key bound to it */
  readonly wireKey: AuthKey;
};

type MethodName = tl.RpcMethod["_"];
type Request<Name extends MethodName> = Extract<tl.RpcMethod, { _: Name }>;

/** Handlers by TL method name, each taking and giving what the schema says. */
export type Handlers = {
  [Name in MethodName]?: (
    context: CallContext,
    request: Request<Name>,
  ) => Name extends keyof tl.RpcCallReturn ? tl.RpcCallReturn[Name] : never;
};

/** The account that is logged in; the dispatcher has made sure that there is one. */
export function self(context: CallContext): Account {
  const { key, world } = context;
  const account = key.user_id === null ? undefined : accountById(world, key.user_id);
  if (account === undefined) throw rpcError("AUTH_KEY_UNREGISTERED");
  return account;
}
