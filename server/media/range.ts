/** What an HTTP range header asks for (RFC 9110, one range): the whole without one, nothing when it lies outside. */
export function readRangeHeader(
  header: string | undefined,
  size: number,
): { start: number; end: number } | "whole" | "outside" {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null || (match[1] === "" && match[2] === "")) return "whole";
  if (match[1] === "") {
    const last = Number(match[2]);
    return last === 0 ? "outside" : { start: Math.max(0, size - last), end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  return start >= size || end < start ? "outside" : { start, end };
}
