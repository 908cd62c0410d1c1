import ipaddr from "ipaddr.js";
import type { Limiter } from "./limits.ts";

/**
 * Returns the network by which limits count an address: an IPv4 address, or the /64 of an IPv6 one. A single household has all
 * addresses of a /64 to itself.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const known = ipaddr.process(address);
  if (known.kind() === "ipv4") return known.toString();
  const parts = (known as ipaddr.IPv6).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(":")}::/64`;
}

/** A limit whose keys are addresses. */
export const limitNetworks = (limiter: Limiter): Limiter => ({
  use: (address) => limiter.use(networkOf(address)),
  attempt: (address, work) => limiter.attempt(networkOf(address), work),
  forgive: (address, uses) => limiter.forgive(networkOf(address), uses),
});
