import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { documentOf } from "./openapi/document.ts";
import type { Spec } from "./openapi/operation.ts";

/** Like the CSP of every page, but without Trusted Types, because this page's library sets HTML. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

/** Serves `/api/openapi.json` and a readable page of it at `/api/docs`. Must be registered before the routes. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  const specs = new Set<Spec>();
  app.addHook("onRoute", ({ config }) => {
    const { spec } = (config ?? {}) as { spec?: Spec & { isDocumented?: false } };
    if (spec !== undefined && spec.isDocumented !== false) specs.add(spec);
  });
  await app.register(swagger, {
    openapi: { openapi: "3.1.0" },
    transform: ({ schema, url }) => ({ schema: { ...schema, hide: true }, url }),
    transformObject: () => documentOf([...specs]),
  });
  await app.register(swaggerUi, {
    routePrefix: "/api/docs",
    staticCSP: DOCS_POLICY,
    theme: { title: "Leadloom API" },
    // Hides the library's bar, which shows its logo and a field for other APIs.
    uiConfig: { docExpansion: "list", deepLinking: true, layout: "BaseLayout" },
  });
  app.get("/api/openapi.json", (_request, reply) => reply.send(app.swagger()));
}
