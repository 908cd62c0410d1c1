import { parseArgs } from "node:util";

/** Ends a command that was called incorrectly: prints the error and the usage. */
export function refuseArguments(problem, usage) {
  console.error(`${problem}\nusage: ${usage}`);
  process.exit(2);
}

/** Reads the arguments of a command like node:util's parseArgs. For --help and unknown arguments, prints the usage and ends the process. */
export function readArguments(usage, config = {}) {
  const options = { ...config.options, help: { type: "boolean", short: "h" } };
  let read;
  try {
    read = parseArgs({ ...config, options });
  } catch (error) {
    refuseArguments(error.message, usage);
  }
  if (read.values.help) {
    console.log(`usage: ${usage}`);
    process.exit(0);
  }
  return read;
}
