/** The action or the guard of the name; its params are what came with the event. */
export const withEvent = <const Type extends string>(type: Type) => ({
  type,
  params: <Event>({ event }: { event: Event }): Event => event,
});

/** The same of an actor's output. */
export const withOutput = <const Type extends string>(type: Type) => ({
  type,
  params: <Output>({ event }: { event: { output: Output } }): Output => event.output,
});
