export type Commands = Record<string, { does: string; start(): Promise<unknown> }>;

/**
 * Runs the sub-command that the command line names; `npm run chaos -- stops` is `stops` of `chaos`.
 * The sub-command reads its own arguments as if its file had been started directly. Without a known name, lists all of them.
 */
export async function runCommand(tool: string, commands: Commands): Promise<void> {
  const [name = ""] = process.argv.splice(2, 1);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return void (await command.start());
  console.error(`usage: npm run ${tool} -- <command> [options]\n`);
  for (const [known, { does }] of Object.entries(commands)) console.error(`  ${known.padEnd(12)}${does}`);
  process.exitCode = 2;
}
