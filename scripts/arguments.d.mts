import type { parseArgs, ParseArgsConfig } from "node:util";

/** Ends a command that was called wrongly: says what is wrong and how the command is used. */
export function refuseArguments(problem: string, usage: string): never;

/** Reads the arguments of a command; for --help and for what it does not take, says how it is used and ends the process. */
export function readArguments<const T extends ParseArgsConfig>(
  usage: string,
  config?: T,
): ReturnType<typeof parseArgs<T>>;
