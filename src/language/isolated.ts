import type { Messages } from "@lingui/core";

type Token = string | [name: string, type?: string, choices?: unknown];

const isTokens = (value: unknown): value is Token[] => Array.isArray(value);

function isolatedTokens(tokens: Token[]): Token[] {
  return tokens.flatMap((token): Token[] => {
    if (typeof token === "string") return [token];
    const [name, type, choices] = token;
    if (type === undefined) return ["\u2068", token, "\u2069"];
    if (typeof choices !== "object" || choices === null) return [token];
    const isolatedChoices = Object.entries(choices).map(([choice, words]: [string, unknown]) => [
      choice,
      isTokens(words) ? isolatedTokens(words) : words,
    ]);
    return [[name, type, Object.fromEntries(isolatedChoices)]];
  });
}

/**
 * Puts Unicode isolates around the values in right-to-left texts, so that a left-to-right name, number or address does not change
 * the order of the words around it.
 */
export const isolated = (messages: Messages): Messages =>
  Object.fromEntries(
    Object.entries(messages).map(([id, message]) => [
      id,
      isTokens(message) ? (isolatedTokens(message) as typeof message) : message,
    ]),
  );
