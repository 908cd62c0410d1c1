export type Commands = Record<string, { does: string; takes?: string; start(): Promise<unknown> }>;

/**
 * Runs the sub-command named on the command line; `npm run chaos -- stops` is `stops` of `chaos`. The sub-command reads its arguments as if
 * its file had been started directly. Lists all sub-commands when the name is unknown. Prints the usage for --help, and for arguments to a
 * sub-command that takes none.
 */
export async function runCommand(tool: string, commands: Commands): Promise<void> {
  const [name = ""] = process.argv.splice(2, 1);
  const given = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`usage: npm run ${tool} -- <command> [options]\n`);
    for (const [known, { does, takes = "" }] of Object.entries(commands))
      console.error(`  ${known.padEnd(12)}${does} ${takes}`.trimEnd());
    process.exitCode = name === "--help" ? 0 : 2;
    return;
  }
  const wantsHelp = given.includes("--help");
  if (!wantsHelp && (command.takes !== undefined || given.length === 0)) return void (await command.start());
  console.error(`${name} ${command.does}\nusage: npm run ${tool} -- ${name} ${command.takes ?? ""}`.trimEnd());
  process.exitCode = wantsHelp ? 0 : 2;
}
