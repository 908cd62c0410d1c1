import type { parseArgs, ParseArgsConfig } from "node:util";

/** Ends a command that was called incorrectly: prints the error and the usage. */
export function refuseArguments(problem: string, usage: string): never;

/** Reads the arguments of a command; for --help and unknown arguments, prints the usage and ends the process. */
export function readArguments<const T extends ParseArgsConfig>(
  usage: string,
  config?: T,
): ReturnType<typeof parseArgs<T>>;
