import * as v from "valibot";
import type { Form } from "./form.ts";
import { ApiError } from "./wire.ts";

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(255));
const whole = v.pipe(v.string(), v.regex(/^\d{1,12}$/, "Invalid integer"), v.transform(Number));
const flag = v.pipe(
  v.picklist(["true", "false"]),
  v.transform((value) => value === "true"),
);
const listOf = <S extends v.GenericSchema>(item: S) =>
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((entries) => Object.values(entries)),
    v.array(item),
  );
const metadata = v.optional(v.record(v.pipe(v.string(), v.maxLength(40)), v.pipe(v.string(), v.maxLength(500))));
const webAddress = v.pipe(v.string(), v.regex(/^https?:\/\/[^/]/, "Not a valid URL"), v.maxLength(5_000));

const expand = v.optional(listOf(v.string()), {});
const page = {
  limit: v.optional(v.pipe(whole, v.minValue(1), v.maxValue(100)), "10"),
  starting_after: v.optional(id),
  ending_before: v.optional(id),
  expand,
};

/** The parameters of each call. Like the real provider, unlisted parameters are refused. */
export const Nothing = v.strictObject({ expand });
export const CustomerCreate = v.strictObject({
  email: v.optional(v.pipe(v.string(), v.maxLength(512))),
  name: v.optional(v.pipe(v.string(), v.maxLength(256))),
  metadata,
  expand,
});
export const CustomerUpdate = v.strictObject({
  email: v.optional(v.pipe(v.string(), v.maxLength(512))),
  name: v.optional(v.pipe(v.string(), v.maxLength(256))),
  metadata,
  invoice_settings: v.optional(v.strictObject({ default_payment_method: v.string() })),
  expand,
});
export const CustomerList = v.strictObject({ email: v.optional(v.string()), ...page });
export const SessionCreate = v.strictObject({
  mode: v.literal("subscription"),
  customer: id,
  client_reference_id: v.optional(v.pipe(v.string(), v.maxLength(200))),
  line_items: listOf(v.strictObject({ price: id, quantity: v.optional(v.literal("1"), "1") })),
  success_url: webAddress,
  cancel_url: v.optional(webAddress),
  payment_method_collection: v.optional(v.picklist(["always", "if_required"]), "always"),
  expires_at: v.optional(whole),
  metadata,
  subscription_data: v.optional(
    v.strictObject({
      metadata,
      trial_period_days: v.optional(v.pipe(whole, v.minValue(1), v.maxValue(730))),
      trial_settings: v.optional(
        v.strictObject({ end_behavior: v.strictObject({ missing_payment_method: v.literal("pause") }) }),
      ),
    }),
    {},
  ),
  expand,
});
export const SessionList = v.strictObject({
  customer: v.optional(id),
  status: v.optional(v.picklist(["open", "complete", "expired"])),
  ...page,
});
export const SubscriptionList = v.strictObject({ customer: v.optional(id), status: v.optional(v.string()), ...page });
export const SubscriptionUpdate = v.strictObject({
  cancel_at_period_end: v.optional(flag),
  cancel_at: v.optional(v.union([v.literal(""), whole])),
  metadata,
  expand,
});
export const InvoiceList = v.strictObject({
  customer: v.optional(id),
  subscription: v.optional(id),
  status: v.optional(v.picklist(["draft", "open", "paid", "uncollectible", "void"])),
  ...page,
});
export const PortalCreate = v.strictObject({ customer: id, return_url: v.optional(webAddress), expand });

/**
 * Validates the parameters of a call.
 * @throws ApiError 400 naming the invalid one
 */
export function readParams<S extends v.GenericSchema>(schema: S, form: Form): v.InferOutput<S> {
  const result = v.safeParse(schema, form);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const param = v.getDotPath(issue) ?? "";
  const isUnknown = issue.type === "strict_object" && issue.expected === "never";
  throw isUnknown
    ? new ApiError(400, `Received unknown parameter: ${param}`, { code: "parameter_unknown", param })
    : new ApiError(400, `${issue.message} (${param})`, { code: "parameter_invalid", param });
}
