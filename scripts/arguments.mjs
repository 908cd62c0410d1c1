import { parseArgs } from "node:util";

/** Ends a command that was called wrongly: says what is wrong and how the command is used. */
export function refuseArguments(problem, usage) {
  console.error(`${problem}\nusage: ${usage}`);
  process.exit(2);
}

/**
 * Reads the arguments of a command as node:util's parseArgs does. For --help it says how the command is used and ends the process; for an
 * argument that the command does not take, it says that too.
 */
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
