import { ConfigError, readConfig } from "../core/config.ts";
import { openDatabase } from "../db/index.ts";
import { requireStore } from "../db/pglite.ts";
import { keepOutboxKey } from "../outbox/names.ts";
import { rotateWebhookSecrets } from "../webhooks/rotate.ts";
import { rotateAuthKeys } from "./storage/rotate.ts";
import { createVault } from "../core/vault.ts";

// node_modules/.bin/node server/telegram/rotate-keys.ts: encrypts all stored sessions and webhook secrets with the newest key in
// ENCRYPTION_KEYS. Afterwards the old key can be removed.
try {
  const config = readConfig(process.env);
  if (config.database.kind === "pglite") requireStore(config.database.dataDir);
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
