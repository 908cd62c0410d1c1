import { msg } from "@lingui/core/runtime-macro";
/** What the connect screen says, to the letter. */
export const TELEGRAM_TEXTS = {
  sendCodeFailed: msg`❌ Failed to send code. Try again.`,
  codeRefused: msg`❌ Invalid code or session expired.`,
  passwordRefused: msg`❌ Incorrect password. Please try again.`,
  qrStartFailed: msg`❌ Failed to start QR login.`,
  qrExpired: msg`⏰ QR code expired. Please try again.`,
  qrPasswordNeeded: msg`🔐 This account requires your Telegram password to finish login.`,
  qrFailed: msg`❌ QR login failed. Please try again.`,
  qrPasswordRefused: msg`❌ Could not complete 2FA. Try again.`,
  disconnectFailed: msg`❌ Failed to disconnect.`,
  connectedByQr: msg`✅ Connected via QR.`,
  connectedByQrAndPassword: msg`✅ Connected via QR + 2FA.`,
  disconnected: msg`🔌 Disconnected from Telegram.`,
  connectedElsewhere: msg`✅ Telegram was connected in another window.`,
  connectionLost: msg`⚠️ Telegram ended this connection. Connect again to go on.`,
} as const;

/** Stands beside the text of an attempt without a known outcome. */
export const MAY_BE_CONNECTED = msg`If Telegram is connected after all, this page will show it.`;
export const MAY_BE_DISCONNECTED = msg`Telegram may be disconnected.`;
