// node scripts/make-secrets.mjs <folder>: creates the secrets that an installation needs, one file each. Never overwrites a file.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("Name the folder for the secrets: node scripts/make-secrets.mjs <folder>");
  process.exit(1);
}
mkdirSync(folder, { recursive: true, mode: 0o700 });

/** Returns the secret of that name; creates it if there is none. */
function secret(name, make) {
  const file = path.join(folder, name);
  if (existsSync(file)) return readFileSync(file, "utf8");
  const value = make();
  writeFileSync(file, value, { mode: 0o400, flag: "wx" });
  console.log(`leadloom · made ${file}`);
  return value;
}

const password = secret("postgres-password", () => randomBytes(24).toString("base64url"));
secret("database-url", () => `postgres://leadloom:${password}@postgres:5432/leadloom`);
secret("encryption-keys", () => `1:${randomBytes(32).toString("base64")}`);
secret("jwt-secret", () => randomBytes(48).toString("base64url"));
