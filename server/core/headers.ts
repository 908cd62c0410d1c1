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

/** Headers of every response (OWASP ASVS 5.0, 3.4). HSTS is sent only when the public address uses https. */
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
 * Adds the headers to every response, streams included. They are set below Fastify, so that a route can override them, such as the
 * caching of a file or the Content-Security-Policy of a page.
 */
export function registerSecurityHeaders(app: FastifyInstance, config: HeaderConfig): void {
  const headers = new Map(Object.entries(securityHeaders(config)));
  app.addHook("onRequest", (_request, reply, done) => {
    reply.raw.setHeaders(headers);
    done();
  });
}
