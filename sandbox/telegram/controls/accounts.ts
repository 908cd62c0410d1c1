import { RpcError, SandboxError } from "../errors.ts";
import { acceptLogin } from "../methods/qr.ts";
import { addChannel, setChannelRole, type ChannelRole } from "../world/groups.ts";
import { addFault, type Fault } from "../world/faults.ts";
import { endLogin, keysOfUser } from "../world/logins.ts";
import { setPassword } from "../world/password.ts";
import { accountById, accountByPhone, addAccount, type Account } from "../world/people.ts";
import { markedId, type World } from "../world/world.ts";
import { requireAccount, requireFreeUsername, parsePhone, tokenOfUrl } from "./inputs.ts";
import { requireChannel } from "./messages.ts";

export type NewAccount = {
  phone: string;
  password?: string | undefined;
  hint?: string | undefined;
  first_name?: string | undefined;
  last_name?: string | undefined;
  username?: string | undefined;
  dc_id?: number | undefined;
};

/** Creates an account that can log in; with a password it has two-step verification. */
export function createAccount(world: World, input: NewAccount): Account {
  const phone = parsePhone(input.phone);
  if (accountByPhone(world, phone) !== undefined) {
    throw new SandboxError(409, "phone_taken", `The phone ${phone} has an account already.`);
  }
  const dcId = input.dc_id ?? world.mainDcId;
  if (!world.dcs.some(({ id }) => id === dcId)) {
    const ids = world.dcs.map(({ id }) => id).join(" and ");
    throw new SandboxError(422, "invalid", `There is no data centre ${dcId}; there are ${ids}.`);
  }
  const person = {
    phone,
    first_name: input.first_name ?? "Seller",
    last_name: input.last_name,
    username: input.username === undefined ? undefined : requireFreeUsername(world, input.username),
  };
  const account = addAccount(world, person, dcId);
  setPassword(world, account.user_id, input.password ?? "", input.hint);
  world.store.afterCommit(() => world.changed());
  return accountById(world, account.user_id) ?? account;
}

/** Sets, changes or (empty) removes the two-step password. */
export function changePassword(world: World, phone: string, password: string, hint?: string): void {
  setPassword(world, requireAccount(world, phone).user_id, password, hint);
  world.changed();
}

const SCAN_REFUSALS: Record<string, string> = {
  AUTH_TOKEN_EXPIRED: "This QR code has expired (they live for 30 seconds): scan the one shown now.",
  AUTH_TOKEN_ALREADY_ACCEPTED: "This QR code was scanned before.",
  AUTH_TOKEN_INVALID: "This QR code is not of this network, or was replaced by a newer one.",
};

/** The account's phone scans the QR code and approves it. */
export function scan(world: World, phone: string, qrUrl: string): void {
  const account = requireAccount(world, phone);
  const token = tokenOfUrl(qrUrl);
  try {
    acceptLogin(world, account, token);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const code = error.message === "AUTH_TOKEN_EXPIRED" ? "qr_expired" : "qr_invalid";
    throw new SandboxError(409, code, SCAN_REFUSALS[error.message] ?? error.message);
  }
}

/** Ends one session (by id) or all, as the account's owner would on the phone. */
export function revoke(world: World, phone: string, sessionId?: string): void {
  const keys = keysOfUser(world, requireAccount(world, phone).user_id);
  const chosen = sessionId === undefined ? keys : keys.filter((key) => key.session_hash === sessionId);
  if (sessionId !== undefined && chosen.length === 0) {
    throw new SandboxError(404, "unknown_session", `The account has no session ${sessionId}.`);
  }
  for (const { id } of chosen) endLogin(world, id, "SESSION_REVOKED");
}

export function armFault(world: World, phone: string, fault: Fault): void {
  const account = requireAccount(world, phone);
  if (!/^[a-zA-Z]+\.[a-zA-Z0-9]+$/.test(fault.method)) {
    throw new SandboxError(422, "invalid", "method is a TL name such as messages.sendMessage.");
  }
  if (!/^(-?\d{3}:)?[A-Z][A-Z0-9_]*$/.test(fault.error)) {
    throw new SandboxError(
      422,
      "invalid",
      "error is a text such as FLOOD_WAIT_5, DROP_CONNECTION, HALF_OPEN or SLOW_2000.",
    );
  }
  if (fault.times !== undefined && (!Number.isInteger(fault.times) || fault.times < 1)) {
    throw new SandboxError(422, "invalid", "times is a whole number of at least 1.");
  }
  addFault(world, account.user_id, fault);
  world.changed();
}

export type NewChannel = {
  username: string;
  title: string;
  kind?: "channel" | "supergroup" | undefined;
  /** whether every account can post (the default), or only those with a role */
  open?: boolean | undefined;
};

export function createChannel(world: World, input: NewChannel): { id: number; username: string; title: string } {
  if (input.title.trim() === "") throw new SandboxError(422, "invalid", "A channel needs a title.");
  const username = requireFreeUsername(world, input.username);
  const { channel_id: id } = addChannel(world, {
    username,
    title: input.title,
    kind: input.kind ?? "channel",
    writers: input.open === false ? "admins" : "everyone",
  });
  world.changed();
  return { id: markedId({ type: "channel", id }), username, title: input.title };
}

/** Makes the account an admin, a member or banned in a channel; null removes the role. */
export function setRole(world: World, phone: string, username: string, role: ChannelRole | null): void {
  setChannelRole(world, requireChannel(world, username).channel_id, requireAccount(world, phone).user_id, role);
  world.changed();
}
