const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Signals within this time are one request to stop: a terminal and a supervisor send theirs to the whole group of
 * processes, npm and `bin/bulwark.mjs` pass theirs on, so that one request arrives several times: within milliseconds,
 * but on a busy machine up to a second apart.
 */
const sameWishMs = 1500;

/**
 * Resolves at the first signal to stop, or when `bin/bulwark.mjs` was killed, with what happened. A second request ends the
 * process at once, with status 1.
 */
export const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    const launcherGone = () => resolve('The launcher is gone');
    process.once('disconnect', launcherGone);
    let firstAt: number | undefined;
    for (const signal of signals)
      process.on(signal, () => {
        const now = performance.now();
        firstAt ??= now;
        if (now - firstAt > sameWishMs) process.exit(1);
        // This listener would keep the launcher's channel open, and so the process running.
        process.off('disconnect', launcherGone);
        resolve(signal);
      });
  });
