/** The language model of the deployment as attacker and second judge, where a scan asks for it. */
import type { Logger } from '#base/log/log.ts';
import type { Attacker } from '#engine/attacks/attack.ts';
import { withRubric } from '#engine/replies/rubric.ts';
import { LanguageModelError } from '#llm/failures.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { requestOf, type Test, type Unit } from './unit.ts';

const answerTokens = { attacker: 800, judge: 200 } as const;

export class SecondModel {
  readonly #model: LanguageModel;
  readonly #log: Logger;

  constructor(model: LanguageModel, log: Logger) {
    this.#model = model;
    this.#log = log;
  }

  /** An algorithm goes on without it where it does not answer: an empty text is one that cannot be read. */
  attacker(signal: AbortSignal): Attacker {
    return async (request) => {
      try {
        return await this.#ask(request, answerTokens.attacker, signal);
      } catch (err) {
        if (!(err instanceof LanguageModelError)) throw err;
        this.#log.warn(
          { err },
          'the attacker model did not answer: the algorithm goes on by its own templates',
        );
        return '';
      }
    };
  }

  /** The verdict with a second opinion on a request that should be refused; it can only become worse. */
  async judge(test: Test, unit: Unit, signal: AbortSignal): Promise<Unit> {
    if (test.case.expect.kind !== 'refuse' || unit.reply === null || isNoVerdict(unit)) return unit;
    const { refusal, reason, score: level, judgedBy: by } = unit;
    const given = {
      level,
      text: unit.decoded ?? unit.reply,
      reason,
      refusal: { kind: refusal, safeCompletion: false, confidence: 1 },
      evidence: [],
      by,
    };
    const judged = await withRubric(given, {
      request: requestOf(test.case),
      ask: (question) => this.#ask(question, answerTokens.judge, signal),
    });
    return { ...unit, score: judged.level, reason: judged.reason, judgedBy: judged.by };
  }

  async #ask(
    { instructions, input }: { instructions: string; input: string },
    maxTokens: number,
    signal: AbortSignal,
  ): Promise<string> {
    const messages = [
      { role: 'system' as const, content: instructions },
      { role: 'user' as const, content: input },
    ];
    return (await this.#model.complete({ messages, maxTokens }, { signal })).text;
  }
}

/** Turns that lead up to the request, and empty replies. */
const isNoVerdict = ({ judgedBy }: Unit): boolean => judgedBy === 'turn' || judgedBy === 'empty';
