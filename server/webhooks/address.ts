import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import ipaddr from "ipaddr.js";
import { inEnglish } from "../core/english.ts";
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

/** Names that only one's own machine or network knows. */
const PRIVATE_NAMES = /^localhost$|\.(localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion)$/;
const HTTPS_PORT = 443;
const FIRST_FREE_PORT = 1_024;
/** Addresses in public ranges at which clouds answer their own machines. */
const CLOUD_HOSTS = new Set(["168.63.129.16"]);
/** Whoever runs a name server can keep us waiting: names are asked for beside the thread pool, and not for long. */
const RESOLVE_MS = 3_000;

/** Whether an IP address is one of the public internet: unicast, of no special registry (RFC 6890), nothing inside of which hides another. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast" || CLOUD_HOSTS.has(parsed.toString())) return false;
  // Of IPv6 only what is handed out (2000::/3), so that no old way of writing an IPv4 address gets through.
  return parsed.kind() === "ipv4" || ((parsed as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1;
}

/**
 * Reads a webhook's address.
 * @param allowPrivate one's own network, and plain http
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

/** The name without an IPv6 address's brackets and without the root's dot. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

export type Resolve = (hostname: string) => Promise<string[]>;

/** All addresses that public name servers know for a name. @throws the resolver's error when there is none */
export const resolvePublicly: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const [first] = answers;
  if (addresses.length === 0 && first?.status === "rejected") throw first.reason;
  return addresses;
};

/**
 * How a connection finds its address: the name is resolved for this connection, every answer is checked, and what was checked is what is
 * connected to. One answer that is not public refuses the name.
 */
export function guardedLookup(resolve: Resolve): LookupFunction {
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

/** For one's own network: names as this machine knows them, and no check. */
export const openLookup: LookupFunction = (hostname, options, done) => systemLookup(hostname, options, done as never);
