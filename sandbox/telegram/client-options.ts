import { addPublicKey } from "@mtcute/core/utils.js";
import { NodeCryptoProvider } from "@mtcute/node/utils.js";

/** The address of a Telegram network, as in `TelegramNetwork.connection`. */
export type TelegramConnection = {
  readonly dcs: readonly { readonly id: number; readonly ipAddress: string; readonly port: number }[];
  readonly mainDcId: number;
  /** RSA public key, PKCS#1 PEM */
  readonly publicKeyPem: string;
  /** the current pts of a user's updates, and whether a session receives them; missing in other processes */
  readonly deliveryTo?: (userId: number) => { pts: number; isReceiving: boolean };
};

/** The mtcute client options for that network. */
export type TelegramClientOptions = {
  readonly crypto: NodeCryptoProvider;
  readonly defaultDcs: {
    readonly main: { id: number; ipAddress: string; port: number };
    readonly media: { id: number; ipAddress: string; port: number };
  };
};

/**
 * Converts a connection to mtcute client options, for `new TelegramClient({...})`. Also adds the network's public key to the library, for
 * the whole process.
 */
export async function telegramClientOptions(connection: TelegramConnection): Promise<TelegramClientOptions> {
  const crypto = new NodeCryptoProvider();
  await crypto.initialize();
  addPublicKey(crypto, connection.publicKeyPem);
  const main = connection.dcs.find((dc) => dc.id === connection.mainDcId);
  if (main === undefined) throw new Error(`the network has no data centre ${connection.mainDcId}`);
  return { crypto, defaultDcs: { main: { ...main }, media: { ...main } } };
}
