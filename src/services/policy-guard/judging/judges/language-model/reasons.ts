import type { PolicySource } from '#engine/text/types.ts';
import { LanguageModelError } from '#llm/failures.ts';
import type { Fenced } from '#llm/fence.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { isRefusal } from '#llm/read-reply.ts';
import type { Material } from '../backend.ts';
import { dataOf, reasonPrompt, shownTurns } from './prompt.ts';
import { windowsOf } from './windows.ts';

/** Explains in words why a text was or was not flagged, after that is decided. */
export interface Reasons {
  /** A sentence; undefined where the model has none in time. */
  reason(
    material: Material,
    about: { readonly policies: readonly PolicySource[]; readonly isFlagged: boolean },
  ): Promise<string | undefined>;
}

const reasonTokens = 120;
const reasonCharacters = 400;
/** With more of them the sentence is no longer informative. */
const mostPolicies = 5;
/** Less is not worth a call. */
const leastMs = 100;

const tidied = (text: string): string =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, reasonCharacters)
    .toWellFormed();

/** A separate call, so that no score waits for it or depends on it. */
export function createReasons({
  model,
  fence,
}: {
  model: LanguageModel;
  fence: (value: unknown) => Fenced;
}): Reasons {
  return {
    async reason(material, { policies, isFlagged }) {
      const timeoutMs = material.remainingMs();
      if (timeoutMs < leastMs) return undefined;
      const [text = ''] = windowsOf(material.text).windows;
      const shown = dataOf({ text, turns: shownTurns(material.messages), readings: material.readings });
      try {
        const { text: said } = await model.complete(
          {
            messages: [
              { role: 'system', content: reasonPrompt(policies.slice(0, mostPolicies), isFlagged) },
              { role: 'user', content: `The data:\n${fence(shown).block}\n\nSay why, in one sentence.` },
            ],
            maxTokens: reasonTokens,
          },
          { timeoutMs },
        );
        const sentence = tidied(said);
        return sentence === '' || isRefusal(sentence) ? undefined : sentence;
      } catch (error) {
        if (!(error instanceof LanguageModelError)) throw error;
        return undefined;
      }
    },
  };
}
