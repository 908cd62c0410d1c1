import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import ipaddr from "ipaddr.js";
import { inEnglish } from "../core/languages.ts";
import { readReason, storedReason } from "../../domain/stored-reasons.ts";

/** Why an address may not be called. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
  readonly reason: string;

  /** @param reason as it is stored */
  constructor(reason: string) {
    super(inEnglish(readReason(reason).text));
    this.reason = reason;
  }
}

/** Names that exist only on this machine or in a private network. */
const PRIVATE_NAMES = /^localhost$|\.(localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion)$/;
const HTTPS_PORT = 443;
const FIRST_FREE_PORT = 1_024;
/** Addresses in public ranges where clouds serve metadata to their machines. */
const CLOUD_HOSTS = new Set(["168.63.129.16"]);
/** A foreign name server may answer slowly, so lookups bypass the thread pool and time out soon. */
const RESOLVE_MS = 3_000;

/** Whether an IP address is public: unicast, in no special-purpose registry (RFC 6890), and without an embedded IPv4 address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast" || CLOUD_HOSTS.has(parsed.toString())) return false;
  // Only allocated IPv6 addresses (2000::/3), which excludes old forms of IPv4 addresses.
  return parsed.kind() === "ipv4" || ((parsed as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1;
}

/**
 * Reads a webhook's address.
 * @param allowPrivate whether private addresses and plain http are allowed
 * @throws RefusedAddress when it can never be called, whatever its name resolves to
 */
export function readAddress(text: string, allowPrivate: boolean): URL {
  if (!URL.canParse(text)) throw new RefusedAddress(storedReason("address_form"));
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    throw new RefusedAddress(storedReason("address_not_https"));
  if (url.username !== "" || url.password !== "") throw new RefusedAddress(storedReason("address_with_password"));
  if (allowPrivate) return url;
  const port = url.port === "" ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT)
    throw new RefusedAddress(storedReason("address_port", { https: HTTPS_PORT, first: FIRST_FREE_PORT }));
  const host = hostOf(url);
  if (isIP(host) !== 0 ? !isPublicAddress(host) : PRIVATE_NAMES.test(host) || !host.includes("."))
    throw new RefusedAddress(storedReason("address_private"));
  return url;
}

/** Returns the host name without the brackets of an IPv6 address and without a trailing dot. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

export type Resolve = (hostname: string) => Promise<string[]>;

/** Resolves all addresses of a name. @throws the resolver's error when there is none */
export const resolvePublicly: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const [first] = answers;
  if (addresses.length === 0 && first?.status === "rejected") throw first.reason;
  return addresses;
};

/**
 * The lookup of a connection: resolves the name, checks every address, and connects to a checked one. One private address refuses the name.
 */
export function createGuardedLookup(resolve: Resolve): LookupFunction {
  const find = callbackify(async (hostname: string, family: unknown): Promise<LookupAddress[]> => {
    const addresses = await resolve(hostname);
    const found = addresses
      .map((address) => ({ address, family: isIP(address) }))
      .filter((one) => (family !== 4 && family !== 6) || one.family === family);
    if (found.length === 0 || !addresses.every(isPublicAddress))
      throw new RefusedAddress(storedReason("address_not_public"));
    return found;
  });
  return (hostname, options, done) =>
    find(hostname, options.family, (error, found) => {
      const first = found?.[0];
      if (error !== null || first === undefined)
        done(error ?? new RefusedAddress(storedReason("address_not_public")), "");
      else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
}

/** The lookup when private addresses are allowed: the system resolver, without a check. */
export const openLookup: LookupFunction = (hostname, options, done) => systemLookup(hostname, options, done as never);
