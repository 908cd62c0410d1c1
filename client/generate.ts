import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";

const HEADER = "// Made from the OpenAPI page by `npm run generate:client`. Do not edit.\n\n";
const BLOB = ts.factory.createTypeReferenceNode("Blob");

const LINE_MOST = 320;
/** Braces that stay as they are. */
const [OPEN, CLOSE] = ["\u0001", "\u0002"];

/** The lines of a comment as one. */
const sentences = (lines: string): string =>
  lines
    .split("\n")
    .map((line) => line.replace(/^ *\* */, "").trim())
    .filter((line) => line !== "")
    .map((line) => (/[.:…]$/.test(line) ? line : `${line}.`))
    .join(" ");

/**
 * Writes what fits into one line in one line, and leaves out what says nothing: nobody edits the file, but a change of it is
 * read.
 */
function compact(text: string): string {
  let before = text
    .replaceAll(/^ *\* @(?:enum|constant|default|example)\b.*\n/gm, "")
    .replaceAll(/^( *)\* @description /gm, "$1* ")
    .replaceAll(/^( *)\* Format: .*\n/gm, "")
    .replaceAll(/^ *\*\n/gm, "")
    .replaceAll(/\/\*\*\n((?: *\* .*\n)+?) *\*\//g, (_, lines: string) => `/** ${sentences(lines)} */`)
    .replaceAll("/** @description ", "/** ")
    .replaceAll(/^ *\/\*\* (?:Done|Made|What a program decides by\.|Taken on: .*) \*\/\n/gm, "")
    .replaceAll(/^ *\/\*\*\n *\*\/\n/gm, "")
    .replaceAll(/ *\w+\?: never;\n/g, "")
    .replaceAll(/\{\n *\}/g, "{}")
    .replaceAll(/^ {8}parameters: \{\};\n(?= {8}(?:\/\*\*|get|put|post|patch|delete))/gm, "")
    .replaceAll(/(components\["responses"\]\["\w+"\];)\n\s*(?=\d{3}: components)/g, "$1 ")
    .replaceAll(/^( *)parameters: \{\};\n *responses:/gm, "$1parameters: {}; responses:");
  for (;;) {
    const after = before.replaceAll(/\{\n([^{}]*)\n *\}/g, (block, inner: string) => {
      const line = `{ ${inner.trim().replaceAll(/\n\s*/g, " ")} }`;
      const fits = line.length <= LINE_MOST && !inner.includes("/*");
      return fits ? line.replaceAll("{", OPEN).replaceAll("}", CLOSE) : block;
    });
    if (after === before)
      return after
        .replaceAll(OPEN, "{")
        .replaceAll(CLOSE, "}")
        .replaceAll(/( \*\/)\n */g, "$1 ");
    before = after;
  }
}

/** The types of the calls that an OpenAPI document describes, as the text of a declaration file. */
export async function typesOf(document: object): Promise<string> {
  const told = JSON.parse(
    JSON.stringify(document, (key, value: unknown) => (key === "examples" ? undefined : value)),
  ) as OpenAPI3;
  const nodes = await openapiTS(told, {
    defaultNonNullable: false,
    transform: (schema) => ("contentMediaType" in schema ? BLOB : undefined),
  });
  return HEADER + compact(astToString(nodes));
}
