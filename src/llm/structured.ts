/** Structured output: a value of a given schema. */
import { z } from 'zod';
import type { ChatAnswer, ChatMessage } from './chat-wire.ts';
import type { Asker } from './classify.ts';
import { llmMalformed, llmRefused } from './failures.ts';
import { jsonQuestion, type Question } from './questions.ts';
import { findJson, isRefusal } from './read-reply.ts';

export interface StructuredRequest<T> extends Question {
  readonly schema: z.ZodType<T>;
  /** A name for the schema, such as `violations`. */
  readonly name: string;
  /** Tokens of the answer; default: 1024. */
  readonly maxTokens?: number;
}

const standardTokens = 1024;
/** How much of an invalid answer is shown to the model again. */
const shownAgain = 4000;

/** Servers enforce a shape strictly only where every property must be there. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties, required } = schema as { properties?: object; required?: unknown };
  if (properties !== undefined) {
    const names = Array.isArray(required) ? (required as unknown[]) : [];
    if (Object.keys(properties).some((name) => !names.includes(name))) return false;
  }
  return Object.values(schema).every(isStrict);
}

/**
 * Returns the answer parsed by the schema. An invalid answer is sent back once with its errors.
 * @throws LanguageModelError `llm_refused`, or `llm_malformed` when the second answer does not fit either.
 */
export async function structured<T>(request: StructuredRequest<T>, model: Asker): Promise<T> {
  const { name, maxTokens = standardTokens } = request;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(request.schema, { io: 'input' });
  const messages = jsonQuestion(request, schema, model.jsonSchema);
  const ask = (asked: readonly ChatMessage[]) =>
    model.ask({
      messages: asked,
      maxTokens,
      schema: { name, schema, strict: isStrict(schema) },
    });
  const first = await ask(messages);
  const read = readAs(request.schema, first);
  if ('value' in read) return read.value;
  const second = await ask([
    ...messages,
    { role: 'assistant', content: first.text.slice(0, shownAgain) },
    { role: 'user', content: `That answer cannot be used: ${read.problem}. Answer again, with JSON alone.` },
  ]);
  const again = readAs(request.schema, second);
  if ('value' in again) return again.value;
  throw llmMalformed(`The language model’s answer does not match the schema “${name}”: ${again.problem}.`);
}

function readAs<T>(schema: z.ZodType<T>, answer: ChatAnswer): { value: T } | { problem: string } {
  if (answer.isRefused) throw llmRefused('The language model refused to answer.');
  const found = findJson(answer.text);
  if (found === undefined) {
    if (isRefusal(answer.text)) throw llmRefused('The language model refused to answer.');
    return { problem: answer.isCutOff ? 'it is cut off' : 'it holds no JSON' };
  }
  const result = schema.safeParse(found);
  if (result.success) return { value: result.data };
  const places = result.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  return { problem: places.join('; ') };
}
