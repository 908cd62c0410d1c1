import type { Long } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import { fromTlLong } from "../wire/longs.ts";
import { isTlObject, type TlObject } from "../wire/tl.ts";
import type { AuthKey } from "../world/logins.ts";
import type { World } from "../world/world.ts";

/** A call without its wrappers (https://core.telegram.org/api/invoking), and the wrappers' data. */
export type Unwrapped = {
  call: TlObject;
  layer: number | null;
  device: { deviceModel: string; systemVersion: string; appVersion: string; apiId: number } | null;
  withoutUpdates: boolean;
  after: bigint[];
};

const WRAPPER = /^(invokeWith|invokeAfterMsg|initConnection)/;

export function unwrap(outer: TlObject): Unwrapped {
  const unwrapped: Unwrapped = { call: outer, layer: null, device: null, withoutUpdates: false, after: [] };
  while (WRAPPER.test(unwrapped.call._)) {
    const wrapper = unwrapped.call;
    const query = wrapper["query"];
    if (!isTlObject(query)) throw rpcError("INPUT_FETCH_ERROR");
    if (wrapper._ === "invokeWithLayer") unwrapped.layer = wrapper["layer"] as number;
    if (wrapper._ === "invokeWithoutUpdates") unwrapped.withoutUpdates = true;
    if (wrapper._ === "invokeAfterMsg") unwrapped.after.push(fromTlLong(wrapper["msgId"] as Long));
    if (wrapper._ === "invokeAfterMsgs") unwrapped.after.push(...(wrapper["msgIds"] as Long[]).map(fromTlLong));
    if (wrapper._ === "initConnection") unwrapped.device = wrapper as unknown as Unwrapped["device"];
    unwrapped.call = query;
  }
  return unwrapped;
}

/** Stores the data of initConnection and invokeWithLayer with the key; the session list shows it as the device. */
export function rememberDevice(world: World, key: AuthKey, { device, layer }: Unwrapped): void {
  if (device !== null) {
    world.store.run(
      "update auth_keys set device_model = ?, system_version = ?, app_version = ?, api_id = ? where id = ?",
      device.deviceModel,
      device.systemVersion,
      device.appVersion,
      device.apiId,
      key.id,
    );
  }
  if (layer !== null && layer !== key.layer)
    world.store.run("update auth_keys set layer = ? where id = ?", layer, key.id);
}
