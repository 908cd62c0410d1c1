type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const say = (value: unknown) =>
  isObject(value) && !Array.isArray(value) ? value.constructor?.name : JSON.stringify(value);
const isActor = (value: Fields) => "sessionId" in value && "getSnapshot" in value;

/**
 * Where two values differ, in words, or null where they are equal by what they hold: fields without a value do not
 * count, errors are told apart by their message, files by name and size, actors by id.
 */
export function difference(one: unknown, other: unknown, place = "it"): string | null {
  if (Object.is(one, other)) return null;
  if (!isObject(one) || !isObject(other)) return `${place} is ${say(one)}, not ${say(other)}`;
  if (isActor(one) && isActor(other)) return difference(one["id"], other["id"], `${place}.id`);
  if (one instanceof Error && other instanceof Error) return difference(one.message, other.message, `${place}.message`);
  if (one instanceof File && other instanceof File)
    return difference([one.name, one.size], [other.name, other.size], place);
  if (one instanceof Element || other instanceof Element) return `${place} is another element`;
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length)
    return `${place} has ${one.length} entries, not ${other.length}: ${JSON.stringify(one)}`;
  if (one instanceof Map && other instanceof Map) return difference([...one], [...other], place);
  if (one instanceof Set && other instanceof Set) return difference([...one], [...other], place);
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = difference(one[key], other[key], `${place}.${key}`);
    if (found !== null) return found;
  }
  return null;
}
