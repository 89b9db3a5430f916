import type { z } from 'zod';
import { describeIssues } from '#base/contract/issues.ts';
import { AppError, invalid } from '#base/errors.ts';
import { readText } from '../files.ts';

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
