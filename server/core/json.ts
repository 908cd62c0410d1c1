import type { FastifyInstance } from "fastify";
import { refuse } from "./problem.ts";

/** No real request nests deeper; a thousand levels would exhaust the stack. */
const MAX_DEPTH = 32;

/**
 * Parses JSON bodies. An empty body counts as none, since clients may send the type without a body. Refuses `__proto__` and nesting
 * deeper than 32 levels.
 */
export function registerJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (depthOf(body as string) > MAX_DEPTH) {
      return done(refuse(400, "bad_request", { reason: "nested" }));
    }
    return parse(request, body as string, done);
  });
}

/** The deepest nesting of brackets outside of strings. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === 92) index += 1;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 123 || char === 91) deepest = Math.max(deepest, (depth += 1));
    else if (char === 125 || char === 93) depth -= 1;
  }
  return deepest;
}
