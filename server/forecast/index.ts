export { forgetContactChecks, startContactChecks } from "./contact-checks.ts";
export { readForecast } from "./forecast.ts";
export { registerForecast } from "./routes.ts";
export { foldStandings, forgetEmptyStandings } from "./standings.ts";
