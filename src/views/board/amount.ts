import { numberText } from "../../language/format.ts";

/** A value, or a sum of values, to the cent: `12,500`, `99.5`. */
export const amountText = (amount: number): string => numberText(Math.round(amount * 100) / 100);
