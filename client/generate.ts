import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";

const HEADER = "// Made from the OpenAPI page by `npm run generate:client`. Do not edit.\n\n";
const BLOB = ts.factory.createTypeReferenceNode("Blob");

/** The types of the calls that an OpenAPI document describes, as the text of a declaration file. */
export async function typesOf(document: object): Promise<string> {
  const nodes = await openapiTS(document as OpenAPI3, {
    defaultNonNullable: false,
    transform: (schema) => ("contentMediaType" in schema ? BLOB : undefined),
  });
  return HEADER + astToString(nodes);
}
