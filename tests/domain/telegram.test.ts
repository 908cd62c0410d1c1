import { expect, test } from "vitest";
import * as v from "valibot";
import { SendCode, VerifyCode } from "../../domain/telegram.ts";

test.each([
  ["+1 (555) 123-4567", "+15551234567"],
  ["0049.30.1234567", "+49301234567"],
  ["\u202a+1\u00a0555\u2011123\u20134567\u202c", "+15551234567"],
  ["\u200e+15551234567\u200e", "+15551234567"],
  ["+٩٦٦٥٠١٢٣٤٥٦٧", "+966501234567"],
  ["+۹۸۹۱۲۳۴۵۶۷۸۹", "+989123456789"],
])("reads the phone number %j as it is typed or pasted", (phone, read) =>
  expect(v.parse(SendCode, { phone })).toEqual({ phone: read }),
);

test.each(["", "+", "abc", "+1555", "+1234567890123456", "+1555x1234567"])("refuses %j as a phone number", (phone) =>
  expect(v.safeParse(SendCode, { phone }).success).toBe(false),
);

test("reads a login code in Arabic digits", () =>
  expect(v.parse(VerifyCode, { phone: "+15551234567", code: " ١٢٣٤٥ " })).toEqual({
    phone: "+15551234567",
    code: "12345",
  }));
