import type { TelegramSnapshot } from "./telegram.machine.ts";

type CodeStep = "phone" | "code" | "password";
type QrStep = "start" | "approval" | "password";

export const selectScreen = (telegram: TelegramSnapshot): "checking" | "connected" | "disconnected" => {
  if (telegram.matches("checkingStatus")) return "checking";
  return telegram.matches("connected") ? "connected" : "disconnected";
};

export const selectTab = (telegram: TelegramSnapshot): "code" | "qr" =>
  telegram.matches({ disconnected: "qr" }) ? "qr" : "code";

export const selectCodeStep = (telegram: TelegramSnapshot): CodeStep => {
  const isIn = (state: "awaitingCode" | "checkingCode" | "awaitingPassword" | "checkingPassword") =>
    telegram.matches({ disconnected: { code: state } });
  if (isIn("awaitingCode") || isIn("checkingCode")) return "code";
  return isIn("awaitingPassword") || isIn("checkingPassword") ? "password" : "phone";
};

export const selectQrStep = (telegram: TelegramSnapshot): QrStep => {
  if (telegram.matches({ disconnected: { qr: "awaitingApproval" } })) return "approval";
  const isPassword =
    telegram.matches({ disconnected: { qr: "awaitingPassword" } }) ||
    telegram.matches({ disconnected: { qr: "checkingPassword" } });
  return isPassword ? "password" : "start";
};

/** 'Use Code' rests while the screen is busy, waits for the QR's approval or asks for its password. */
export const selectIsCodeTabDisabled = (telegram: TelegramSnapshot): boolean =>
  telegram.hasTag("busy") || selectQrStep(telegram) !== "start";

/** 'Use QR' rests once the code flow is past its first step. */
export const selectIsQrTabDisabled = (telegram: TelegramSnapshot): boolean => selectCodeStep(telegram) !== "phone";

export const selectIsBusy = (telegram: TelegramSnapshot): boolean => telegram.hasTag("busy");
export const selectIsCancelling = (telegram: TelegramSnapshot): boolean =>
  telegram.matches({ disconnected: { qr: "cancelling" } });
export const selectPhone = (telegram: TelegramSnapshot) => telegram.context.phone;
/** The number to begin with: the one typed, else that of the account that was connected before. */
export const selectSuggestedPhone = ({ context: { phone, connectedPhone } }: TelegramSnapshot) =>
  phone || (connectedPhone ?? "");
export const selectConnectedPhone = (telegram: TelegramSnapshot) => telegram.context.connectedPhone;
export const selectQrUrl = (telegram: TelegramSnapshot) => telegram.context.qrUrl;
export const selectPasswordHint = (telegram: TelegramSnapshot) => telegram.context.passwordHint;
export const selectMessage = (telegram: TelegramSnapshot) => telegram.context.message;
/** What is wrong with what was typed into the field of the step. */
export const selectFieldProblem = ({ context: { message } }: TelegramSnapshot) =>
  message?.isOfField ? (message.detail ?? undefined) : undefined;
