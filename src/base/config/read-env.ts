/** The only place that reads the process's environment. */
export const readEnv = (): Readonly<Record<string, string | undefined>> => ({ ...process.env });
