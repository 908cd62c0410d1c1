export { startCardProvider, type CardProvider } from "./provider.ts";
export { registerBillingSandbox } from "./register.ts";
