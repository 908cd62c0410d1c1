import fc from "fast-check";

const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}1${close.repeat(depth)}`;
const MEGABYTE = "x".repeat(1_000_000);

/** Texts that have broken parsers, databases and terminals before. `\uD800` is half a surrogate pair; Postgres refuses `\0`. */
const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\uD800",
  "\uDFFF\uD800",
  "👩‍👩‍👧‍👦",
  "\u202Etxt.exe",
  "İıſß",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-1",
  "1e309",
  "9223372036854775808",
  "0x10",
  "00000000-0000-4000-8000-000000000000",
  "00000000-0000-4000-8000-00000000000g",
  "{00000000-0000-4000-8000-000000000000}",
  "2026-02-30T25:61:61Z",
  "-271821-04-20T00:00:00.000Z",
  "+275760-09-13T00:00:00.000Z",
  "294277-01-01",
  "infinity",
  "2026-11-21",
  "' or 1=1 --",
  "$1",
  "%",
  "_",
  "\\",
  '"',
  "(,)",
  "*,*",
  "../../etc/passwd",
  "{name}{stage}{{",
  "#ffffff",
  "+15551234567",
  "@leadloom_team",
  "person@example.com",
  "a@b.c\r\nbcc: x@example.com",
  "<script>alert(1)</script>",
  "x".repeat(300),
  "é".repeat(5_000),
  MEGABYTE.slice(0, 70_000),
];
const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.1,
  1.5,
  23,
  24,
  100_000,
  100_001,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  5e-324,
  1.7e308,
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()) },
);

/** Any JSON value, mostly of the wrong type. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom<number>(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { id: null }) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(hostileText, hostileText, { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Whole bodies that no serializer produces. */
export const rawBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "null",
    "NaN",
    "1e309",
    '{"name":1e309,"order":-1e309}',
    '{"name":NaN}',
    String.raw`{"name":"\ud800","message":"\u0000"}`,
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"toString":1,"hasOwnProperty":2,"then":3}',
    '{"name":"a","name":"b"}',
    nested(31, "[", "]"),
    nested(5_000, "[", "]"),
    nested(40, '{"a":', "}"),
    `{"a":${nested(20, "[", "]")}}`,
    `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":${index}`).join(",")}}`,
    "\uFEFF{}",
    '[{"id":1},2]',
  ),
  fc.json(),
  fc.string({ unit: "binary", maxLength: 60 }),
);

/** A value of the maximum body size, for one field at a time. */
export const hugeText = MEGABYTE;
