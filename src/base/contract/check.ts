import type { z } from 'zod';
import { badRequest, invalid } from '../errors.ts';
import { describeIssues, isMissing } from './issues.ts';

/**
 * The input as its schema makes it.
 * @param part where the input came from, for the sentence: `body`, `query`, `path`, `request`.
 * @throws AppError 400 where a field is missing, 422 where one has a wrong value; each is named.
 */
export function checkInput<T extends z.ZodType>(schema: T, input: unknown, part: string): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { issues } = result.error;
  const sentence = describeIssues(issues, input, part);
  throw issues.some((issue) => isMissing(issue, input)) ? badRequest(sentence) : invalid(sentence);
}
