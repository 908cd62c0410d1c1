import { addPublicKey } from "@mtcute/core/utils.js";
import { NodeCryptoProvider } from "@mtcute/node/utils.js";

/** Where a Telegram network is to be found, as `TelegramNetwork.connection` says. */
export type TelegramConnection = {
  readonly dcs: readonly { readonly id: number; readonly ipAddress: string; readonly port: number }[];
  readonly mainDcId: number;
  /** RSA public key, PKCS#1 PEM */
  readonly publicKeyPem: string;
  /** the last place (pts) of a user's updates, and whether a session hears them; unknown to other processes */
  readonly deliveryTo?: (userId: number) => { place: number; isHeard: boolean };
};

/** What an mtcute client must be given to talk to that network instead of the one it knows. */
export type TelegramClientOptions = {
  readonly crypto: NodeCryptoProvider;
  readonly defaultDcs: {
    readonly main: { id: number; ipAddress: string; port: number };
    readonly media: { id: number; ipAddress: string; port: number };
  };
};

/**
 * Turns a connection into mtcute client options, to be spread into `new TelegramClient({...})`. The network's public key
 * is made known to the library, which keeps keys for the whole process.
 */
export async function telegramClientOptions(connection: TelegramConnection): Promise<TelegramClientOptions> {
  const crypto = new NodeCryptoProvider();
  await crypto.initialize();
  addPublicKey(crypto, connection.publicKeyPem);
  const main = connection.dcs.find((dc) => dc.id === connection.mainDcId);
  if (main === undefined) throw new Error(`the network has no data centre ${connection.mainDcId}`);
  return { crypto, defaultDcs: { main: { ...main }, media: { ...main } } };
}
