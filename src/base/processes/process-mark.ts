/**
 * A mark that a program and all its descendants inherit, so that processes that left its process group
 * (setsid, double fork) can be found: an otherwise unused resource limit with a unique value. It is passed
 * on by fork and exec, only a privileged process can raise it, and /proc/PID/limits shows it.
 *
 * The limit is RLIMIT_RTTIME: microseconds of processor time that a real-time thread may use without blocking. The values
 * are 35 years and more, so it never takes effect.
 */
import { randomInt } from 'node:crypto';

export const newMark = (): string => String(2n ** 50n + BigInt(randomInt(2 ** 47)));

export const prlimitMark = (mark: string): string => `--rttime=${mark}:${mark}`;
