/** What layer 198 writes otherwise than the current layer, of all that this network reads or answers. */
export const LAYER_198 = `
`;
