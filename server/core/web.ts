import fs from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { simulatedParts, type Config } from "./config.ts";
import { notFound } from "./problem.ts";

const API_PREFIXES = ["/api", "/auth", "/rest", "/mcp", "/.well-known", "/webhooks", "/sandbox", "/assets"];
const isApi = (url: string) => API_PREFIXES.some((prefix) => url === prefix || url.startsWith(`${prefix}/`));

/** Whether a request is for the page itself, at any of its addresses. */
export const asksForPage = ({ method, url }: Pick<FastifyRequest, "method" | "url">): boolean =>
  (method === "GET" || method === "HEAD") && !isApi(url.split("?")[0] ?? "");

/** Serves the built page: hashed files with unlimited caching, every other address as the page itself. */
export async function registerWeb(app: FastifyInstance, config: Config, folder: string): Promise<void> {
  const indexFile = path.join(folder, "index.html");
  const page = fs.existsSync(indexFile) ? tellSandbox(fs.readFileSync(indexFile, "utf8"), config) : null;
  if (page !== null) {
    await app.register(fastifyStatic, {
      root: path.join(folder, "assets"),
      prefix: "/assets/",
      preCompressed: true,
      immutable: true,
      maxAge: "365d",
      decorateReply: false,
      wildcard: true,
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (page !== null && asksForPage(request))
      return reply.type("text/html; charset=utf-8").header("cache-control", "no-cache").send(page);
    throw notFound();
  });
}

/** Writes the names of the simulated parts into the page, so that it needs no request for them. */
function tellSandbox(html: string, config: Config): string {
  const parts = simulatedParts(config);
  return parts.length === 0
    ? html
    : html.replace("</head>", `<meta name="leadloom-sandbox" content="${parts.join(",")}" /></head>`);
}
