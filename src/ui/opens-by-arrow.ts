/** Where arrows open a select's list instead of moving through the closed one. */
export const opensByArrow = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
