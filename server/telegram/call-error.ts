/** Telegram's refusal of a call. `text` is the error's name with its number, such as FLOOD_WAIT_5; `seconds` that number when it is a wait. */
export class TelegramCallError extends Error {
  override readonly name = "TelegramCallError";
  readonly code: number;
  readonly text: string;
  readonly seconds: number | null;
  constructor(code: number, text: string, options?: ErrorOptions) {
    super(`${code} ${text}`, options);
    this.code = code;
    this.text = text;
    const wait = /_WAIT_(\d+)$/.exec(text);
    this.seconds = wait === null ? null : Number(wait[1]);
  }
}
