import { Long } from "@mtcute/core";

/** Message ids are compared and counted with here as bigint; TL objects carry Long. */
export const toTlLong = (value: bigint): Long => Long.fromString(BigInt.asIntN(64, value).toString());

export const fromTlLong = (value: Long): bigint => BigInt(value.toString());
