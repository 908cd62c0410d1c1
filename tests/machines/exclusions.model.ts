import type { Exclusion } from "../../domain/exclusion.ts";
import { createExclusions } from "../../src/machines/exclusions/exclusions.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";

export const ada: Exclusion = {
  telegram_user_id: "5001",
  name: "Ada Lovelace",
  username: "ada",
  excluded_at: "2026-03-05T10:00:00Z",
  undo_until: null,
};

export const exclusionsModel = modelOf(createExclusions(fakePage()), {
  events: [
    { type: "person.restore", telegramUserId: "5001" },
    ...done("listExclusions", [ada]),
    ...done("restorePerson", null),
    ...failedWrites("restorePerson"),
  ],
});
