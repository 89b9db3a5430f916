/** Rounded as answers show it: milliseconds to the microsecond, shares to a tenth of a per cent. */
export const threeDecimals = (value: number): number => Math.round(value * 1000) / 1000;
