import * as v from "valibot";

/** An id in a path, query or body. */
export const Id = v.pipe(v.string(), v.uuid("Must be an id."));
export const Timestamp = v.pipe(v.string(), v.isoTimestamp("Must be an ISO time such as 2026-03-05T09:00:00Z."));
