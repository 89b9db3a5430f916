/** Rounds for responses: milliseconds to the microsecond, shares to a tenth of a percent. */
export const threeDecimals = (value: number): number => Math.round(value * 1000) / 1000;
