/** Classifies a text by the best method the model supports. */
import { z } from 'zod';
import type { ChatAnswer, ChatRequest } from './chat-wire.ts';
import { LanguageModelError, llmMalformed, llmRefused } from './failures.ts';
import {
  letterQuestion,
  likelihoodQuestion,
  policyLetters,
  textQuestion,
  type LetterMeanings,
  type Question,
} from './questions.ts';
import { findJson, isRefusal } from './read-reply.ts';
import {
  answerToken,
  atStrictness,
  likelihoods,
  meanVerdict,
  verdictOfText,
  verdictOfToken,
  type Likelihood,
  type Verdict,
} from './verdict.ts';

export interface ClassifyRequest extends Question {
  /** Meaning of the letters; default: violation of the policy. */
  readonly letters?: LetterMeanings;
  /** Additional samples for a borderline answer without log-probabilities; default: 3. */
  readonly samples?: number;
}

export interface Classification {
  readonly verdict: Verdict;
  /** The format from which the verdict was read. */
  readonly method: 'logprobs' | 'likelihood' | 'text';
  /** The first answer had the wrong format: possibly the text manipulated the model (prompt injection). */
  readonly offFormat: boolean;
}

/** Interface to the model. */
export interface Asker {
  readonly logprobs: boolean;
  readonly jsonSchema: boolean;
  readonly ask: (request: ChatRequest) => Promise<ChatAnswer>;
}

type Outcome = Verdict | 'off_format' | 'refused';

const likelihoodSchema = {
  name: 'likelihood',
  strict: true,
  schema: {
    type: 'object',
    properties: { likelihood: { type: 'string', enum: Object.keys(likelihoods) } },
    required: ['likelihood'],
    additionalProperties: false,
  },
};
const likelihoodAnswer = z.object({ likelihood: z.enum(Object.keys(likelihoods) as [Likelihood]) });
const likelihoodTokens = 24;
const textTokens = 64;
const borderline = { from: 0.2, to: 0.8 };
const sampleTemperature = 0.7;

/**
 * One letter by its log-probability; where there is none, or the letters are not what the model wants to say, a
 * likelihood out of five; where that fails, a line of text.
 * @throws LanguageModelError; `llm_refused` or `llm_malformed` when no way led to a verdict.
 */
export async function classify(request: ClassifyRequest, model: Asker): Promise<Classification> {
  const ways = [
    { method: 'logprobs', isOffered: model.logprobs, ask: byLogprobs },
    { method: 'likelihood', isOffered: model.jsonSchema, ask: byLikelihood },
    { method: 'text', isOffered: true, ask: byText },
  ] as const;
  let offFormat = false;
  let refused = false;
  for (const { method, isOffered, ask } of ways) {
    if (!isOffered) continue;
    const outcome = await ask(request, model);
    if (typeof outcome === 'object') return { verdict: outcome, method, offFormat };
    offFormat = true;
    refused ||= outcome === 'refused';
  }
  throw refused
    ? llmRefused('The language model refused to judge.')
    : llmMalformed('The language model gave no verdict in any form that it was asked for.');
}

const meanings = ({ letters = policyLetters }: ClassifyRequest): LetterMeanings => letters;

async function byLogprobs(request: ClassifyRequest, model: Asker): Promise<Outcome> {
  const answer = await model.ask({
    messages: letterQuestion(request, meanings(request)),
    maxTokens: 1,
    logprobs: true,
  });
  if (answer.isRefused) return 'refused';
  const token = answerToken(answer.tokens ?? [], answer.hasReasoningField);
  return (token === undefined ? undefined : verdictOfToken(token).verdict) ?? 'off_format';
}

async function byLikelihood(request: ClassifyRequest, model: Asker): Promise<Outcome> {
  const first = await likelihood(request, model, 0);
  if (typeof first !== 'object') return first;
  const p = atStrictness(first, 'medium');
  const { samples = 3 } = request;
  if (samples === 0 || p < borderline.from || p > borderline.to) return first;
  const asked = await Promise.allSettled(
    Array.from({ length: samples }, () => likelihood(request, model, sampleTemperature)),
  );
  const verdicts = asked.flatMap((each) =>
    each.status === 'fulfilled' && typeof each.value === 'object' ? [each.value] : [],
  );
  const [one, ...others] = verdicts;
  // The first answer counts where no sample came in time.
  return one === undefined ? first : meanVerdict([one, ...others]);
}

async function likelihood(request: ClassifyRequest, model: Asker, temperature: number): Promise<Outcome> {
  const answer = await model.ask({
    messages: likelihoodQuestion(request, meanings(request)),
    maxTokens: likelihoodTokens,
    temperature,
    schema: likelihoodSchema,
  });
  if (answer.isRefused) return 'refused';
  const read = likelihoodAnswer.safeParse(findJson(answer.text));
  return read.success ? likelihoods[read.data.likelihood] : notRead(answer);
}

async function byText(request: ClassifyRequest, model: Asker): Promise<Outcome> {
  const answer = await model.ask({
    messages: textQuestion(request, meanings(request)),
    maxTokens: textTokens,
  });
  if (answer.isRefused) return 'refused';
  return verdictOfText(answer.text) ?? notRead(answer);
}

const notRead = ({ text }: ChatAnswer): 'refused' | 'off_format' =>
  isRefusal(text) ? 'refused' : 'off_format';

/** Whether the failure means that the model responds, but not to this question. */
export const isAnswered = (error: unknown): boolean =>
  error instanceof LanguageModelError && (error.code === 'llm_refused' || error.code === 'llm_malformed');
