import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";

type Token = ReturnType<typeof compileMessageOrThrow>[number];
type Cases = Record<string, Token[]>;

/** A plural or select inside a message. */
type Branch = { name: string; kind: string; cases: Cases };

/** The placeholders and tags shown by one combination of plural and select forms. */
type Reading = readonly string[];

const TAG = /<\/?\d+\/?>/g;

function branchOf(token: Token): Branch | undefined {
  if (typeof token === "string") return undefined;
  const [name, kind = "", detail] = token as [string, string?, (string | Record<string, unknown>)?];
  if (typeof detail !== "object" || kind === "date") return undefined;
  const { offset: _, ...cases } = detail;
  return { name, kind, cases: cases as Cases };
}

const isPlural = ({ kind }: Branch) => kind !== "select";
const isExact = (form: string) => /^\d+$/.test(form);

const branchesOf = (tokens: Token[]): Branch[] =>
  tokens.flatMap((token) => {
    const branch = branchOf(token);
    return branch ? [branch, ...Object.values(branch.cases).flatMap(branchesOf)] : [];
  });

/** Returns a reading for each combination of forms. `#` counts as the placeholder of its plural. */
const readingsOf = (tokens: Token[], counted = "#"): Reading[] =>
  tokens.reduce<Reading[]>(
    (readings, token) => {
      const parts = partsOf(token, counted);
      return readings.flatMap((reading) => parts.map((part) => [...reading, ...part]));
    },
    [[]],
  );

function partsOf(token: Token, counted: string): Reading[] {
  if (token === "#") return [[counted]];
  if (typeof token === "string") return [token.match(TAG) ?? []];
  const branch = branchOf(token);
  if (!branch) return [[`{${token[0]}}`]];
  const inner = isPlural(branch) ? `{${branch.name}}` : counted;
  return Object.values(branch.cases).flatMap((inside) => readingsOf(inside, inner));
}

/** Returns the plural forms of the locale, and those that cover more than one number. */
function formsOf(locale: string, kind: string): { forms: string[]; several: string[] } {
  const rules = new Intl.PluralRules(locale, { type: kind === "plural" ? "cardinal" : "ordinal" });
  const forms: string[] = rules.resolvedOptions().pluralCategories;
  const selected = Array.from({ length: 1000 }, (_, count) => rules.select(count) as string);
  return { forms, several: forms.filter((form) => selected.indexOf(form) !== selected.lastIndexOf(form)) };
}

const showsNumber = ({ name, cases }: Branch, form: string) =>
  readingsOf(cases[form] ?? [], `{${name}}`).every((reading) => reading.includes(`{${name}}`));

function pluralProblems(source: Branch, branch: Branch, locale: string): string[] {
  const { forms, several } = formsOf(locale, branch.kind);
  const given = Object.keys(branch.cases);
  const numberless = showsNumber(source, "other")
    ? ["other", ...several].filter((form, place, all) => all.indexOf(form) === place && given.includes(form))
    : [];
  return [
    ...forms.filter((form) => !given.includes(form)).map((form) => `lacks the form "${form}"`),
    ...given.filter((form) => !isExact(form) && !forms.includes(form)).map((form) => `invents the form "${form}"`),
    ...numberless.filter((form) => !showsNumber(branch, form)).map((form) => `shows no number in the form "${form}"`),
  ];
}

/** A translation keeps the cases of a select, and a plural's text for exact numbers. */
function caseProblems(source: Branch, branch: Branch): string[] {
  const fixed = ({ cases }: Branch) => Object.keys(cases).filter((form) => !isPlural(branch) || isExact(form));
  const [wanted, given] = [fixed(source), fixed(branch)];
  return [
    ...wanted.filter((form) => !given.includes(form)).map((form) => `lacks the case "${form}"`),
    ...given.filter((form) => !wanted.includes(form)).map((form) => `invents the case "${form}"`),
  ];
}

const isSame = (branch: Branch) => (other: Branch) => branch.name === other.name && branch.kind === other.kind;

function branchProblems(source: Branch[], translated: Branch[], locale: string): string[] {
  const lost = source.filter((branch) => !translated.some(isSame(branch)));
  return [
    ...lost.map(({ name, kind }) => `lacks the ${kind} of {${name}}`),
    ...translated.flatMap((branch) => {
      const twin = source.find(isSame(branch));
      if (!twin) return [`invents the ${branch.kind} of {${branch.name}}`];
      const problems = isPlural(branch) ? pluralProblems(twin, branch, locale) : [];
      return [...problems, ...caseProblems(twin, branch)].map((problem) => `{${branch.name}}: ${problem}`);
    }),
  ];
}

/** Returns what every reading of the source shows but one of the translation lacks, and what no reading of the source shows. */
function partProblems(source: Branch[], shown: Reading[], translated: Reading[]): string[] {
  const known = new Set(shown.flat());
  // Whether a form shows its number depends on the language.
  const counted = new Set(source.map(({ name }) => `{${name}}`));
  const always = [...known].filter((part) => !counted.has(part) && shown.every((reading) => reading.includes(part)));
  return [
    ...always.filter((part) => !translated.every((reading) => reading.includes(part))).map((part) => `lacks ${part}`),
    ...[...new Set(translated.flat())]
      .filter((part) => !known.has(part) && !counted.has(part))
      .map((part) => `invents ${part}`),
  ];
}

/** Whether all tags are closed in the right order. */
function isNested(reading: Reading): boolean {
  const open: string[] = [];
  const tags = reading.filter((part) => part.startsWith("<") && !part.endsWith("/>"));
  return (
    tags.every((tag) => (tag.startsWith("</") ? open.pop() === tag.replace("/", "") : open.push(tag))) &&
    open.length === 0
  );
}

/** Returns what is wrong with the translation of a message; for the source's own language, give the message twice. */
export function messageProblems(message: string, translation: string, locale: string): string[] {
  if (translation.trim() === "") return ["is not translated"];
  try {
    const [source, translated] = [message, translation].map((text) => compileMessageOrThrow(text)) as [
      Token[],
      Token[],
    ];
    const readings = readingsOf(translated);
    return [
      ...branchProblems(branchesOf(source), branchesOf(translated), locale),
      ...partProblems(branchesOf(source), readingsOf(source), readings),
      ...(readings.every(isNested) ? [] : ["has a tag that is not closed"]),
    ];
  } catch (error) {
    return [`cannot be read: ${(error as Error).message}`];
  }
}
