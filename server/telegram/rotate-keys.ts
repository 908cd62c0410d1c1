import { ConfigError, readConfig } from "../core/config.ts";
import { openDatabase } from "../db/index.ts";
import { rotateAuthKeys } from "./storage/rotate.ts";
import { createVault } from "./storage/vault.ts";

// node server/telegram/rotate-keys.ts: with a new key at the end of ENCRYPTION_KEYS, seals all stored sessions under it;
// afterwards the old key may be taken out.
try {
  const config = readConfig(process.env);
  const vault = createVault(config.encryptionKeys);
  const { db, close } = await openDatabase(config.database);
  try {
    const rotated = await rotateAuthKeys(db, vault);
    console.log(`${rotated} session keys are now sealed under version ${vault.newestVersion}.`);
  } finally {
    await close();
  }
} catch (error) {
  console.error(
    error instanceof ConfigError ? error.message : `Nothing was changed after the failure: ${String(error)}`,
  );
  process.exitCode = 1;
}
