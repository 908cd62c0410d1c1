/** Converts Arabic and Persian digits to Western ones. The last four bits of their code points are the digit. */
export const westernDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
