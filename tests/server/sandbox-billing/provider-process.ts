// A provider in a process of its own, to be killed. Arguments: its folder, the webhook's address.
import path from "node:path";
import { createSandboxClock } from "../../../server/core/clock.ts";
import { startCardProvider } from "../../../sandbox/billing/index.ts";
import { SECRET } from "./support.ts";

const [dir = "", webhook = ""] = process.argv.slice(2);
const { port } = await startCardProvider({
  dir,
  clock: createSandboxClock(path.join(dir, "sandbox")),
  webhookUrl: () => webhook,
  webhookSecret: SECRET,
  publicUrl: () => "http://127.0.0.1:9",
});
process.stdout.write(`${port}\n`);
