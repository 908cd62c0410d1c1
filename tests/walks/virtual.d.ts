declare module "virtual:walks" {
  export const files: Record<string, () => Promise<unknown>>;
}
