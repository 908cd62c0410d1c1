import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** Secrets of the embedded parts. Created once in the data folder, readable only by its owner. */
export type EmbeddedSecrets = { jwtSecret: string; encryptionKey: string; stripeWebhookSecret: string };

/** Reads the data folder's secrets, or creates them. */
export function readEmbeddedSecrets(dataDir: string): EmbeddedSecrets {
  const file = path.join(dataDir, "secrets.json");
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as EmbeddedSecrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const secrets: EmbeddedSecrets = {
    jwtSecret: randomBytes(48).toString("base64url"),
    encryptionKey: randomBytes(32).toString("base64"),
    stripeWebhookSecret: `whsec_${randomBytes(24).toString("hex")}`,
  };
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  try {
    // Of two processes that start at once, the first link wins and the other reads it.
    fs.linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return JSON.parse(fs.readFileSync(file, "utf8")) as EmbeddedSecrets;
  } finally {
    fs.rmSync(draft, { force: true });
  }
  return secrets;
}
