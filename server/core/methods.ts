import type { FastifyInstance } from "fastify";
import { refuse } from "./problem.ts";

type Address = { pattern: RegExp; methods: string[] };

const escape = (text: string) => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A route's address as a pattern: parameters match one segment, a star the rest. */
function toPattern(url: string): RegExp {
  const parts = url.split(/(:\w+(?:\([^)]*\))?\??|\*)/).map((part) => {
    if (part === "*") return ".*";
    return part.startsWith(":") ? "[^/]+" : escape(part);
  });
  return new RegExp(`^${parts.join("").replace(/\/$/, "")}/?$`);
}

/**
 * Answers a known address that does not take the method with 405, JSON and `Allow`, instead of 404.
 * Must be called before the routes are registered.
 */
export function registerMethodCheck(app: FastifyInstance): void {
  const routes = new Map<string, Address>();
  app.addHook("onRoute", ({ url, method }) => {
    const address = routes.get(url) ?? { pattern: toPattern(url), methods: [] };
    address.methods.push(...[method].flat());
    routes.set(url, address);
  });
  app.addHook("onRequest", async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    // Below /rest/v1 only whole calls exist, not tables that take some methods.
    if (!request.is404 || path.startsWith("/rest/v1/")) return;
    const methods = [...routes.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((address) => address.methods);
    if (methods.length === 0 || methods.includes(request.method)) return;
    void reply.header("allow", [...new Set(methods)].toSorted().join(", "));
    throw refuse(405, "method_not_allowed");
  });
}
