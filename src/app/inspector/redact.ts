const SECRET = /password|^code$|token|qr_?url|secret|authorization/i;
/** API keys and signing secrets, also within a longer text. */
const SECRET_TEXT = /\b(llk_|whsec_)[\w+/=-]+/g;
const MAX_DEPTH = 4;

/** Returns a copy that is safe to show: masks credentials, and replaces deep and large values with their type. */
export function redact(value: unknown, depth = 0): unknown {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === "string") return value.replace(SECRET_TEXT, "$1•••");
  if (typeof value !== "object" || value === null) return value;
  if (!isPlain(value)) return `[${value.constructor?.name ?? "object"}]`;
  if (depth === MAX_DEPTH) return "…";
  if (Array.isArray(value))
    return value.length > 20 ? `[${value.length} entries]` : value.map((entry) => redact(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      SECRET.test(key) && entry !== null && entry !== "" ? "•••" : redact(entry, depth + 1),
    ]),
  );
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
};
