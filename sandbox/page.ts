import fs from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import type { FastifyInstance } from "fastify";

const folder = new URL("./page/", import.meta.url);
const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  ts: "text/javascript; charset=utf-8",
};

/** `/sandbox`: the other side of the screen, a phone that a person can hold. Exists only while a part is simulated. */
export function registerSandboxPage(app: FastifyInstance): void {
  for (const name of fs.readdirSync(folder)) {
    const ending = name.split(".").at(-1) ?? "";
    const source = fs.readFileSync(new URL(name, folder), "utf8");
    const content = ending === "ts" ? stripTypeScriptTypes(source) : source;
    const url = name === "index.html" ? "/sandbox" : `/sandbox/page/${name}`;
    app.get(url, (_request, reply) =>
      reply
        .type(types[ending] ?? "text/plain")
        .header("cache-control", "no-cache")
        .send(content),
    );
  }
}
