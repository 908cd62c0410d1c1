export { TelegramCallError } from "./call-error.ts";
export type {
  AccountListeners,
  AccountPort,
  DeletedMessages,
  EditedMessage,
  LeasedAccount,
  PeerFacts,
  Recipient,
  SentMessage,
  StoredMedia,
  TelegramMessage,
} from "./types.ts";
