import { TcpTransport } from "@mtcute/node";
import type { TelegramTransport } from "@mtcute/core";

/**
 * A connection to Telegram over which nothing is said without permission: asked before each write. A connection that may not speak is closed
 * instead, and none is opened: two speakers under one key cost the session.
 */
export function guardedTransport(maySpeak: () => boolean): TelegramTransport {
  const plain = new TcpTransport();
  return {
    packetCodec: () => plain.packetCodec(),
    async connect(dc) {
      if (!maySpeak()) throw silenced();
      const connection = await plain.connect(dc);
      const write = connection.write.bind(connection);
      connection.write = async (bytes) => {
        if (maySpeak()) return write(bytes);
        connection.close();
        throw silenced();
      };
      return connection;
    },
  };
}

const silenced = () => new Error("This worker may no longer hold the account, so it says nothing.");
