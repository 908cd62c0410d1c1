/** Returns a short name of an event: `done save`, `error save`, `after delay`, `start`, or its own type. */
export function causeOf({ type }: { type: string }): string {
  if (type === "xstate.init") return "start";
  const [, kind, name] =
    /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? /^xstate\.(after)\.([^.]+)\./.exec(type) ?? [];
  return kind === undefined ? type : `${kind} ${name}`;
}
