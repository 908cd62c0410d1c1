import fs from "node:fs";
import type { FastifyInstance } from "fastify";

const files = {
  "/sandbox": { name: "index.html", type: "text/html; charset=utf-8" },
  "/sandbox/page/sandbox.js": { name: "sandbox.js", type: "text/javascript; charset=utf-8" },
  "/sandbox/page/sandbox.css": { name: "sandbox.css", type: "text/css; charset=utf-8" },
} as const;

/** `/sandbox`: the other side of the screen, a phone that a person can hold. Exists only while a part is simulated. */
export function registerSandboxPage(app: FastifyInstance): void {
  for (const [url, { name, type }] of Object.entries(files)) {
    const content = fs.readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
    app.get(url, (_request, reply) => reply.type(type).header("cache-control", "no-cache").send(content));
  }
}
