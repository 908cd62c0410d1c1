import { ConfigError, readConfig } from "../core/config.ts";
import { openDatabase } from "../db/index.ts";
import { keepOutboxKey } from "../outbox/names.ts";
import { rotateWebhookSecrets } from "../webhooks/rotate.ts";
import { rotateAuthKeys } from "./storage/rotate.ts";
import { createVault } from "../core/vault.ts";

// node server/telegram/rotate-keys.ts: with a new key at the end of ENCRYPTION_KEYS, seals all stored sessions and the secrets of webhooks under it;
// afterwards the old key may be taken out.
try {
  const config = readConfig(process.env);
  const vault = createVault(config.encryptionKeys);
  const database = await openDatabase(config.database);
  try {
    await keepOutboxKey(database.db, config);
    const rotated = await rotateAuthKeys(database.db, vault);
    const secrets = await rotateWebhookSecrets(database.db, vault);
    process.stdout.write(
      `${rotated} session keys${secrets === 0 ? "" : ` and ${secrets} webhook secrets`} are now sealed under version ${vault.newestVersion}.\n`,
    );
  } finally {
    await database.close();
  }
} catch (error) {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `The rotation stopped: ${String(error)}\n`,
  );
  process.exitCode = 1;
}
