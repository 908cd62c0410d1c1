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
 * The texts with Unicode isolates around their values: a name, a number or an address keeps its order in a text that runs
 * the other way, and leaves the words around it in theirs.
 */
export const isolated = (messages: Messages): Messages =>
  Object.fromEntries(
    Object.entries(messages).map(([id, message]) => [
      id,
      isTokens(message) ? (isolatedTokens(message) as typeof message) : message,
    ]),
  );
