import type { ForecastSnapshot } from "./forecast.machine.ts";

/** How a part of the day stands: `untold` by a server that does not know it. */
export type PartState = "loading" | "unread" | "untold" | "shown" | "outdated";

const partOf =
  (part: "day" | "people" | "account") =>
  (forecast: ForecastSnapshot): PartState => {
    const { value, context } = forecast;
    const at = value[part];
    if (typeof at === "string") return at;
    // A look for it that failed is said, also where there was nothing before.
    const isOutdated = Object.values(at).includes("outdated");
    if (context.isUntold[part]) return isOutdated ? "unread" : "untold";
    return isOutdated ? "outdated" : "shown";
  };

export const selectDayState = partOf("day");
export const selectPeopleState = partOf("people");
export const selectAccountState = partOf("account");
export const selectDay = (forecast: ForecastSnapshot) => forecast.context.day;
export const selectPeople = (forecast: ForecastSnapshot) => forecast.context.people;
export const selectAccount = (forecast: ForecastSnapshot) => forecast.context.account;
