import type { z } from 'zod';
import { badRequest, invalid } from '../errors.ts';
import { describeIssues, isMissing } from './issues.ts';

/**
 * Parses the input with its schema.
 * @param part origin of the input, for the message: `body`, `query`, `path`, `request`.
 * @throws AppError 400 for missing fields, 422 for invalid values; the message names each.
 */
export function checkInput<T extends z.ZodType>(schema: T, input: unknown, part: string): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { issues } = result.error;
  const sentence = describeIssues(issues, input, part);
  throw issues.some((issue) => isMissing(issue, input)) ? badRequest(sentence) : invalid(sentence);
}
