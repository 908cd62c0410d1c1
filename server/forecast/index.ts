export { readForecast } from "./forecast.ts";
export { registerForecast } from "./routes.ts";
