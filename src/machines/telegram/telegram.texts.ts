/** What the connect screen says, to the letter. */
export const TELEGRAM_TEXTS = {
  sendCodeFailed: "❌ Failed to send code. Try again.",
  codeRefused: "❌ Invalid code or session expired.",
  passwordRefused: "❌ Incorrect password. Please try again.",
  qrStartFailed: "❌ Failed to start QR login.",
  qrExpired: "⏰ QR code expired. Please try again.",
  qrPasswordNeeded: "🔐 This account requires your Telegram password to finish login.",
  qrFailed: "❌ QR login failed. Please try again.",
  qrPasswordRefused: "❌ Could not complete 2FA. Try again.",
  disconnectFailed: "❌ Failed to disconnect.",
  connectedByQr: "✅ Connected via QR.",
  connectedByQrAndPassword: "✅ Connected via QR + 2FA.",
  disconnected: "🔌 Disconnected from Telegram.",
  connectedElsewhere: "✅ Telegram was connected in another window.",
  connectionLost: "⚠️ Telegram ended this connection. Connect again to go on.",
} as const;

/** Stands beside the text of an attempt without a known outcome. */
export const MAY_BE_CONNECTED = "If Telegram is connected after all, this page will show it.";
export const MAY_BE_DISCONNECTED = "Telegram may be disconnected.";
