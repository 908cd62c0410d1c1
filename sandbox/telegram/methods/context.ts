import type { tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import type { AuthKey } from "../world/logins.ts";
import type { PasswordChecks } from "../world/password.ts";
import { accountById, type Account } from "../world/people.ts";
import type { World } from "../world/world.ts";

/** The caller of a method: its key, session and data centre. */
export type CallContext = {
  readonly world: World;
  readonly key: AuthKey;
  readonly dcId: number;
  readonly sessionId: Buffer;
  /** the live session; updates in its response are not pushed to it again */
  readonly session: object;
  readonly passwords: PasswordChecks;
  /** the key that encrypted the packet: `key`, or a temporary key bound to it */
  readonly wireKey: AuthKey;
};

type MethodName = tl.RpcMethod["_"];
type Request<Name extends MethodName> = Extract<tl.RpcMethod, { _: Name }>;

/** Handlers by TL method name, typed by the schema. */
export type Handlers = {
  [Name in MethodName]?: (
    context: CallContext,
    request: Request<Name>,
  ) => Name extends keyof tl.RpcCallReturn ? tl.RpcCallReturn[Name] : never;
};

/** Returns the logged-in account; the dispatcher has checked that there is one. */
export function self(context: CallContext): Account {
  const { key, world } = context;
  const account = key.user_id === null ? undefined : accountById(world, key.user_id);
  if (account === undefined) throw rpcError("AUTH_KEY_UNREGISTERED");
  return account;
}
