import { z } from 'zod';
import type { Secret } from '#base/config/secret.ts';
import type { DetectorSlug, PolicySource } from '#engine/text/types.ts';
import type { Answer, Backend, Material } from './backend.ts';
import { shifted } from './probabilities.ts';

export interface ModerationSettings {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: Secret | undefined;
  readonly model: string;
}

/** The detectors that correspond to the categories of such endpoints; sub-categories follow a slash. */
const categories: Readonly<Partial<Record<DetectorSlug, RegExp>>> = {
  'hate-bias-discrimination': /^hate(\/|$)/,
  'violence-abuse': /^(violence|harassment)(\/|$)|^hate\/threatening$/,
  'profanity-offensive-language': /^harassment(\/|$)/,
  'sexual-suggestive': /^sexual(\/|$)/,
  'unethical-illegal': /^illicit(\/|$)/,
  'suicide-self-harm': /^self-harm(\/|$)/,
  'general-harmful-content': /./,
};

type Scores = { readonly scores: Readonly<Record<string, number>> } | { readonly failure: string };

const answerSchema = z.object({
  results: z.array(z.object({ category_scores: z.record(z.string(), z.number().min(0).max(1)) })).min(1),
});
const longestAnswerBytes = 1024 * 1024;

/** A moderation endpoint of another provider, as a judge of the detectors whose matter it covers. */
export function createModerationBackend({ baseUrl, apiKey, model }: ModerationSettings): Backend {
  const url = `${baseUrl.replace(/\/+$/, '')}/moderations`;

  async function scores(material: Material): Promise<Scores> {
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(material.remainingMs())));
    try {
      const response = await fetch(url, {
        method: 'POST',
        // The key is sent to the configured server only.
        redirect: 'error',
        signal,
        headers: {
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey.reveal()}` }),
        },
        body: JSON.stringify({ model, input: material.text.toWellFormed() }),
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        return { failure: `moderation_${response.status}` };
      }
      return readScores(await readAtMost(response, longestAnswerBytes));
    } catch {
      return { failure: signal.aborted ? 'moderation_timeout' : 'moderation_unavailable' };
    }
  }

  return {
    engine: 'moderation',
    version: () => Promise.resolve(`${url} ${model}`),
    covers: ({ detector }) => detector !== undefined && categories[detector] !== undefined,
    async judge(material, policies) {
      const found = await scores(material);
      return policies.map((policy) => answerOf(policy, found));
    },
  };
}

function answerOf({ detector }: PolicySource, found: Scores): Answer {
  if ('failure' in found) return found;
  const wanted = detector === undefined ? undefined : categories[detector];
  const scores = Object.entries(found.scores).flatMap(([name, score]) =>
    wanted?.test(name) === true ? [score] : [],
  );
  // A provider without this category returns no result for it.
  if (scores.length === 0) return { failure: 'moderation_not_covered' };
  return { isSuspicious: false, isWhole: true, probabilities: shifted(Math.max(...scores)) };
}

function readScores(body: string): Scores {
  try {
    const [result] = answerSchema.parse(JSON.parse(body)).results;
    return result === undefined ? { failure: 'moderation_malformed' } : { scores: result.category_scores };
  } catch {
    return { failure: 'moderation_malformed' };
  }
}

async function readAtMost(response: Response, limitBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > limitBytes) throw new RangeError('The answer is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
