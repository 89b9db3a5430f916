/**
 * A mark that a program and all that it ever starts carry without knowing it, so that what has left its process group
 * (setsid, a second fork) is found again: a resource limit that nothing else sets, with a value of its own. It is passed
 * on by fork and exec, only a privileged process can raise it, and /proc/PID/limits shows it.
 *
 * The limit is RLIMIT_RTTIME: microseconds of processor time that a real-time thread may take without pause. The values
 * are of 35 years and more, so it never has an effect of its own.
 */
import { randomInt } from 'node:crypto';

export const newMark = (): string => String(2n ** 50n + BigInt(randomInt(2 ** 47)));

export const prlimitMark = (mark: string): string => `--rttime=${mark}:${mark}`;
