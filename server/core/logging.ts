import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";

const HIDDEN = "[hidden]";
const MAX_DEPTH = 6;

/** Names of fields that may hold secrets or personal data. Compared without case, `_` and `-`. */
const SECRET_NAMES =
  /^(authorization|cookie|setcookie|apikey|.*password|.*secret|.*token|.*phone|phonecode|phonecodehash|logincode|otp|.*session(string|data)?|authkey|.*email|to|from|text|caption|body|notes|draft|title|excerpt|q|name|firstname|lastname|username|query|params|parameters|args|values|qrurl|headers|rawheaders|detail|where|row|context|config|request|response|req|res|raw|socket|link)$/;

/** Patterns of secrets within texts. */
const SECRET_SHAPES: readonly RegExp[] = [
  /eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g,
  /\b(?:tg:\/\/login\?token=|https:\/\/t\.me\/login\/)\S+/gi,
  /\b(?:sk|rk|pk|whsec)_(?:live|test)?_?[A-Za-z0-9]{8,}/g,
  /\b(?:password|passwd|pwd|token|secret|apikey|api_key)\b["']?\s*[=:]\s*["']?[^\s"'&,}]+/gi,
  /\bcode\b["']?\s*(?:[=:]|is)?\s*["']?\d{4,6}\b/gi,
  /[a-z][a-z0-9+.-]*:\/\/[^\s/@]*:[^\s/@]*@/gi,
  /[^\s@"'<>()=]+@[^\s@"'<>()]+\.[a-z]{2,}/gi,
  /\+\d[\d\s()-]{6,}\d/g,
  /(?<![\w.-])\d{7,15}(?![\w.-])/g,
];
const LONG_RUN = /[A-Za-z0-9+/_-]{32,}={0,2}/g;

/** Keys mix cases and digits, or are long hexadecimal numbers; paths and ids in words do not. */
const isKeyLike = (run: string) =>
  (/[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run)) || /(?<![0-9a-f])[0-9a-f]{32,}(?![0-9a-f])/.test(run);

/** Returns the text without anything that looks like a token, key, address or phone number. */
export const scrub = (text: string): string =>
  SECRET_SHAPES.reduce((clean, shape) => clean.replaceAll(shape, HIDDEN), text).replaceAll(LONG_RUN, (run) =>
    isKeyLike(run) ? HIDDEN : run,
  );

const isSecretName = (name: string) => SECRET_NAMES.test(name.toLowerCase().replaceAll(/[_-]/g, ""));

function clean(value: unknown, depth: number): unknown {
  if (typeof value === "string") return scrub(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return cleanError(value, depth);
  if (depth >= MAX_DEPTH || ArrayBuffer.isView(value)) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretName(name) && inner !== null ? HIDDEN : clean(inner, depth + 1),
    ]),
  );
}

/** Keeps only the fields of an error that locate it: Postgres and HTTP clients attach whole rows and requests. */
function cleanError(error: Error, depth: number): Record<string, unknown> {
  const { code, status, statusCode, constraint, table } = error as unknown as Record<string, unknown>;
  const known = { code, status, statusCode, constraint, table };
  return {
    type: error.name,
    message: scrub(error.message),
    stack: error.stack === undefined ? undefined : scrub(error.stack),
    ...Object.fromEntries(
      Object.entries(known).filter(([, value]) => typeof value === "string" || typeof value === "number"),
    ),
    ...(error.cause === undefined || depth >= MAX_DEPTH ? {} : { cause: clean(error.cause, depth + 1) }),
  };
}

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Creates the server's log: JSON lines without secrets, addresses or message texts. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => clean(error, 0) },
    formatters: {
      log: (entry) => clean(entry, 0) as Record<string, unknown>,
    },
    hooks: {
      logMethod(args, method) {
        const safe = args.map((arg) => {
          if (arg instanceof Error) return { err: clean(arg, 0) };
          return isPlain(arg) ? arg : clean(arg, 0);
        });
        method.apply(this, safe as typeof args);
      },
    },
  };
  return hideInChildren(destination === undefined ? pino(options) : pino(options, destination));
}

/** Pino does not format the bindings of child loggers. They inherit this method, which redacts them too. */
function hideInChildren(logger: Logger): Logger {
  const makeChild: Logger["child"] = Reflect.get(logger, "child");
  const child = function (this: Logger, bindings: Record<string, unknown>, options?: Parameters<Logger["child"]>[1]) {
    return makeChild.call(this, clean(bindings, 0) as Record<string, unknown>, options);
  };
  return Object.assign(logger, { child });
}
