/** Wraps a call: when it succeeds, the effects run, even if the user has left the screen. */
export const afterSuccess =
  <Input extends unknown[], Output>(call: (...input: Input) => Promise<Output>, ...effects: (() => void)[]) =>
  async (...input: Input): Promise<Output> => {
    const output = await call(...input);
    for (const effect of effects) effect();
    return output;
  };
