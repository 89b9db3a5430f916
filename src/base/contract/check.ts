import type { z } from 'zod';
import { badRequest, invalid } from '../errors.ts';
import { describeIssues, isMissing } from './issues.ts';

/**
 * Parses the input with its schema.
 * @param part origin of the input, for the message: `body`, `query`, `path`, `request`.
 * @throws AppError 400 for missing fields, 422 for invalid values; the message names each.
 */
export function checkInput<T extends z.ZodType>(schema: T, input: unknown, part: string): z.output<T> {
  const result = parsed(schema, input, part);
  if (result.success) return result.data;
  const { issues } = result.error;
  const sentence = describeIssues(issues, input, part);
  throw issues.some((issue) => isMissing(issue, input)) ? badRequest(sentence) : invalid(sentence);
}

function parsed<T extends z.ZodType>(schema: T, input: unknown, part: string) {
  try {
    return schema.safeParse(input);
  } catch (error) {
    // The stack ends where a list in a list has a hundred thousand wrong items.
    if (error instanceof RangeError)
      throw invalid(
        `The ${part} has too many wrong values, or values too deep within others, to be checked.`,
      );
    throw error;
  }
}
