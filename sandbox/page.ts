import fs from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import type { FastifyInstance } from "fastify";
import { directionOf, html } from "./billing/html.ts";
import type { Languages } from "./server-imports.ts";
import { PAGE_TEXTS } from "./page-texts.ts";
import { type Visitor, visitorOf } from "./visitor.ts";

const folder = new URL("./page/", import.meta.url);
const types: Record<string, string> = {
  css: "text/css; charset=utf-8",
  ts: "text/javascript; charset=utf-8",
};
const sourceOf = (name: string) => fs.readFileSync(new URL(name, folder), "utf8");

/** `/sandbox`: a page that simulates phones and the card provider. Exists only while a service is simulated. */
export function registerSandboxPage(app: FastifyInstance, languages: Languages): void {
  const page = sourceOf("index.html");
  app.get("/sandbox", (request, reply) =>
    reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-cache")
      .header("vary", "accept-language")
      .send(inLanguageOf(visitorOf(languages, request), page)),
  );
  for (const name of fs.readdirSync(folder)) {
    const ending = name.split(".").at(-1) ?? "";
    const type = types[ending];
    if (type === undefined) continue;
    const content = ending === "ts" ? stripTypeScriptTypes(sourceOf(name)) : sourceOf(name);
    app.get(`/sandbox/page/${name}`, (_request, reply) =>
      reply.type(type).header("cache-control", "no-cache").send(content),
    );
  }
}

/** Inserts the texts into the page's HTML, and all of them as JSON for its scripts. */
function inLanguageOf({ locale, write }: Visitor, page: string): string {
  const texts = Object.fromEntries(Object.entries(PAGE_TEXTS).map(([name, text]) => [name, write(text)]));
  const parts: Record<string, string> = { ...texts, locale, dir: directionOf(locale) };
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
    name === "texts" ? JSON.stringify(texts).replaceAll("<", "\\u003c") : html`${parts[name] ?? ""}`.html,
  );
}
