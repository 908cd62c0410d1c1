import { rpcError } from "../errors.ts";
import type { TlObject } from "../wire/tl.ts";
import type { World } from "./world.ts";

/** A fault of an account: applies to the next `times` calls of `method` (to that peer). */
export type Fault = {
  method: string;
  error: string;
  to_user_id?: number | undefined;
  times?: number | undefined;
  after_delivery?: boolean | undefined;
};

type FaultRow = {
  id: number;
  method: string;
  error: string;
  to_user_id: number | null;
  times: number;
  after_delivery: number;
};

export function addFault(world: World, userId: number, fault: Fault): void {
  world.store.run(
    "insert into faults (user_id, method, error, to_user_id, times, after_delivery) values (?, ?, ?, ?, ?, ?)",
    userId,
    fault.method,
    fault.error,
    fault.to_user_id ?? null,
    fault.times ?? 1,
    fault.after_delivery ? 1 : 0,
  );
}

export const faultsOf = (world: World, userId: number): Required<Fault>[] =>
  world.store.all<FaultRow>("select * from faults where user_id = ? order by id", userId).map((row) => ({
    method: row.method,
    error: row.error,
    to_user_id: row.to_user_id ?? undefined,
    times: row.times,
    after_delivery: row.after_delivery === 1,
  }));

export function clearFaults(world: World, userId: number): void {
  world.store.run("delete from faults where user_id = ?", userId);
  world.store.run("delete from flood_waits where user_id = ?", userId);
}

/** Uses up one occurrence of the first fault that matches the call. */
export function takeFault(world: World, userId: number, call: TlObject, target: number | null): FaultRow | null {
  const { store } = world;
  const fault = store.get<FaultRow>(
    "select * from faults where user_id = ? and method = ? and (to_user_id is null or to_user_id = ?) order by id limit 1",
    userId,
    call._,
    target,
  );
  if (fault === undefined) return null;
  if (fault.times <= 1) store.run("delete from faults where id = ?", fault.id);
  else store.run("update faults set times = times - 1 where id = ?", fault.id);
  return fault;
}

const WAIT = /^((?:FLOOD|FLOOD_PREMIUM|SLOWMODE)_WAIT)_(\d+)$/;
const scopeOf = (error: string, target: number | null): string => (error.startsWith("SLOWMODE") ? String(target) : "");

/** Starts the wait that an error text contains, if any; the method is refused until it ends. */
export function beginWait(world: World, userId: number, method: string, error: string, target: number | null): void {
  const match = WAIT.exec(error);
  if (match === null) return;
  world.store.run(
    "insert or replace into flood_waits (user_id, method, peer, error, until) values (?, ?, ?, ?, ?)",
    userId,
    method,
    scopeOf(error, target),
    match[1] ?? "FLOOD_WAIT",
    world.clock.now() + Number(match[2]) * 1000,
  );
}

/** Refuses with the remaining seconds while the method has a wait. */
export function checkWaits(world: World, userId: number, method: string, target: number | null): void {
  const waits = world.store.all<{ error: string; until: number; peer: string }>(
    "select error, until, peer from flood_waits where user_id = ? and method = ? and peer in ('', ?)",
    userId,
    method,
    String(target),
  );
  for (const { error, until } of waits) {
    const seconds = Math.ceil((until - world.clock.now()) / 1000);
    if (seconds > 0) throw rpcError(`${error}_${seconds}`);
  }
}
