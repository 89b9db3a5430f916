/** What scripts can rely on. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  flagged: 10,
  regressed: 11,
  different: 12,
  interrupted: 130,
} as const;
