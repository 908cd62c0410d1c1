import type { FastifyInstance } from "fastify";
import type { Config } from "./config.ts";

type HeaderConfig = Pick<Config, "publicUrl" | "qrImageOrigin">;

const contentSecurityPolicy = ({ qrImageOrigin }: HeaderConfig): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${qrImageOrigin === null ? "" : ` ${qrImageOrigin}`}`,
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");

/** What every answer carries (OWASP ASVS 5.0, 3.4). Transport security is promised only where the public address has it. */
export const securityHeaders = (config: HeaderConfig): Record<string, string> => ({
  "content-security-policy": contentSecurityPolicy(config),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cache-control": "no-store",
  ...(config.publicUrl.startsWith("https:")
    ? { "strict-transport-security": "max-age=63072000; includeSubDomains" }
    : {}),
});

/**
 * Puts the headers on every answer, streams included. They are set below Fastify's own, so that a route may still say
 * otherwise: how long a file may be kept, or what a page of its own may load.
 */
export function registerSecurityHeaders(app: FastifyInstance, config: HeaderConfig): void {
  const headers = new Map(Object.entries(securityHeaders(config)));
  app.addHook("onRequest", (_request, reply, done) => {
    reply.raw.setHeaders(headers);
    done();
  });
}
