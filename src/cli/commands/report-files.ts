/** Reading and writing the files of an evaluation. */
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import { describeIssues } from '#base/contract/issues.ts';
import { AppError, invalid } from '#base/errors.ts';

/** Parses the value of an option. */
export const numberFrom =
  (least: number, most: number, isWhole: boolean) =>
  (value: string): number => {
    const number = Number(value);
    const fits = value.trim() !== '' && number >= least && number <= most;
    if (!fits || (isWhole && !Number.isInteger(number)))
      throw new InvalidArgumentError(`A ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`);
    return number;
  };

/** @throws AppError 422 that names what the file is for. */
export function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw invalid(`The ${what} ${path} cannot be read: ${(cause as Error).message}`, cause);
  }
}

/** @throws AppError 422 */
export function write(path: string, content: string): void {
  try {
    writeFileSync(path, content);
  } catch (cause) {
    throw invalid(`${path} cannot be written: ${(cause as Error).message}`, cause);
  }
}

/** A long run must not end with figures that cannot be kept. */
export function refuseUnwritable(path: string | undefined): void {
  if (path === undefined) return;
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (cause) {
    throw invalid(`${path} cannot be written: there is no folder ${dirname(path)} to write to.`, cause);
  }
}

/**
 * The report of an earlier run, as `--json` wrote it.
 * @throws AppError 422 that says what is wrong with the file.
 */
export function readReport<T extends z.ZodType>(path: string, schema: T): z.output<T> {
  let document: unknown;
  try {
    document = JSON.parse(readText(path, 'earlier run'));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw invalid(`The earlier run ${path} is not JSON; --compare takes what --json wrote.`, cause);
  }
  const result = schema.safeParse(document);
  if (!result.success)
    throw invalid(
      `The earlier run ${path} is not a report of this command: ${describeIssues(result.error.issues, document, 'report')}`,
    );
  return result.data;
}
