/** What the API says of a range that ends before it starts. */
export const END_BEFORE_START = "The end lies before the start. Choose a later end.";
