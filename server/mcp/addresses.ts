import { isIP } from "node:net";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { FastifyRequest } from "fastify";
import type { Config } from "../core/config.ts";
import { refuse } from "../core/problem.ts";

/**
 * Refuses what a page of somebody else's sends from a browser on this machine, also after DNS rebinding: a foreign `Origin`, or a `Host` by
 * whose name this server is not known. Addresses in numbers cannot be rebound.
 * @throws ProblemError 403
 */
export function createAddressCheck({ publicUrl }: Pick<Config, "publicUrl">): (request: FastifyRequest) => void {
  const { hostname } = new URL(publicUrl);
  const hosts = [hostname, ...localhostAllowedHostnames()];
  const origins = localhostAllowedHostnames().includes(hostname) ? localhostAllowedOrigins() : [hostname];
  return ({ headers, host }) => {
    const { hostname: asked = "" } = validateHostHeader(host, hosts) as { hostname?: string };
    if (!hosts.includes(asked) && isIP(asked.replace(/^\[|\]$/g, "")) === 0)
      throw refuse(403, "wrong_address", { reason: "host" });
    if (!validateOriginHeader(headers.origin, origins).ok) throw refuse(403, "wrong_address", { reason: "origin" });
  };
}
