import { Long } from "@mtcute/core";

/** Converts a message id, a bigint in this code, to TL's Long. */
export const toTlLong = (value: bigint): Long => Long.fromString(BigInt.asIntN(64, value).toString());

export const fromTlLong = (value: Long): bigint => BigInt(value.toString());
