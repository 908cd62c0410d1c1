export { startCardProvider, type CardProvider, type CardProviderOptions } from "./provider.ts";
export { registerBillingSandbox } from "./register.ts";
