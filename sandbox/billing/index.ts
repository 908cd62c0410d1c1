export { startCardProvider } from "./provider.ts";
export { registerBillingSandbox } from "./register.ts";
