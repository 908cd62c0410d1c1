import { msg } from "@lingui/core/runtime-macro";

/** Why a range of time is refused, by code. */
export const RANGE_PROBLEMS = {
  end_before_start: msg`The end lies before the start. Choose a later end.`,
  range_too_long: msg`That range is longer than ten years. Choose a shorter one.`,
};
