/** The one reader of the process's environment. */
export const readEnv = (): Readonly<Record<string, string | undefined>> => ({ ...process.env });
