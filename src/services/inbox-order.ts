import { WAITING_ORDERS, type WaitingOrder } from "../../domain/inbox.ts";
import type { SafeStorage } from "./storage.ts";

/** Remembers in this browser in which order a user lists who waits; the longest waiting come first until another is chosen. */
export function createInboxOrder(storage: SafeStorage, userId: string) {
  const key = `leadloom.inbox_order.${userId}`;
  return {
    read: (): WaitingOrder => WAITING_ORDERS.find((order) => order === storage.get(key)) ?? "longest",
    write: (order: WaitingOrder) => storage.set(key, order),
  };
}
