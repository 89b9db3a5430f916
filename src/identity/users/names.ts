/** The form in which names are compared: `Admin`, `ADMIN` and `ａｄｍｉｎ` are one user. */
export const nameKey = (username: string): string => username.normalize('NFKC').toLowerCase();
