import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { FastifyInstance, FastifySchema } from "fastify";
import type * as v from "valibot";
import { Problem } from "../../domain/problem.ts";
import type { Gate, RouteScope } from "./routes.ts";

type Described = {
  summary: string;
  tag: string;
  gate: Gate;
  scope: RouteScope;
  params?: v.GenericSchema;
  query?: v.GenericSchema;
  body?: v.GenericSchema;
  answer?: v.GenericSchema;
  status?: number;
  consumes?: "multipart";
  takesKey?: true;
};

const json = (schema: v.GenericSchema) =>
  toJsonSchema(schema, { typeMode: "input", errorMode: "ignore", target: "openapi-3.0" });

/** The header by which a caller repeats a request without doing it twice. */
const REQUEST_KEY = {
  type: "object",
  properties: {
    "Idempotency-Key": {
      type: "string",
      minLength: 1,
      maxLength: 255,
      description:
        "Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused.",
    },
  },
};

const scopeWords = (scope: RouteScope): string => {
  if (scope === "public") return "Anybody may call it.";
  if (scope === "person") return "Only a person may call it, signed in; no key is taken.";
  return `A key needs the scope ${typeof scope === "string" ? scope : scope.join(" or ")}.`;
};

/** One route as OpenAPI sees it, from the very schemas that validate its calls. */
function describe(spec: Described): FastifySchema {
  const problem = json(Problem);
  const refusals: Record<Gate, number[]> = {
    public: [422, 429],
    signedIn: [401, 403, 422, 429],
    subscribed: [401, 402, 403, 422, 429],
  };
  const statuses = [...refusals[spec.gate], ...(spec.params === undefined ? [] : [404])];
  return {
    summary: spec.summary,
    description: scopeWords(spec.scope),
    tags: [spec.tag],
    ...(spec.gate === "public" ? {} : { security: [{ bearer: [] }] }),
    ...(spec.params === undefined ? {} : { params: json(spec.params) }),
    ...(spec.query === undefined ? {} : { querystring: json(spec.query) }),
    ...(spec.takesKey ? { headers: REQUEST_KEY } : {}),
    ...(spec.body === undefined ? {} : { body: json(spec.body) }),
    ...(spec.consumes === "multipart" ? { consumes: ["multipart/form-data"] } : {}),
    response: {
      [spec.status ?? 200]:
        spec.answer === undefined
          ? { description: "Done", type: "object" }
          : { description: "OK", ...json(spec.answer) },
      ...Object.fromEntries(
        statuses.map((status) => [status, { description: "Refused: what happened and what to do", ...problem }]),
      ),
    },
  };
}

/** As for every page of ours, but without Trusted Types: this page's library writes its markup itself. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

/** Serves `/api/openapi.json` and a readable page of it at `/api/docs`. Must be registered before the routes. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.0.3",
      info: {
        title: "Leadloom",
        version: "1",
        description:
          "The calls behind Leadloom's browser app. Times are ISO 8601, UTC; errors are {message, code, fields?}.",
      },
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } } },
    },
    transform: ({ schema, url, route }) => {
      const spec = (route.config as { spec?: Described } | undefined)?.spec;
      return spec === undefined ? { schema: { ...schema, hide: true }, url } : { schema: describe(spec), url };
    },
  });
  await app.register(swaggerUi, {
    routePrefix: "/api/docs",
    staticCSP: DOCS_POLICY,
    uiConfig: { docExpansion: "list", deepLinking: true },
  });
  app.get("/api/openapi.json", (_request, reply) => reply.send(app.swagger()));
}
