/** Ids that stand in the examples. A test puts those of its own account in their place. */
export const EXAMPLE = {
  lead: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e01",
  stage: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e02",
  followup: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e03",
  tag: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e04",
  field: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e05",
  message: "1047",
} as const;

export const EXAMPLE_AT = "2026-03-05T09:00:00.000Z";
