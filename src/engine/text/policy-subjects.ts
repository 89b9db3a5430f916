import { stem } from './stems.ts';
import type { CompiledPhrase, DetectorSlug } from './types.ts';

/**
 * Words by which a policy names the whole subject of a built-in detector. Words for a part of it (drugs, weapons,
 * fraud) are left out: the detector would lift every other part as well.
 */
const subjects: Readonly<Partial<Record<DetectorSlug, string>>> = {
  'hate-bias-discrimination':
    'hate hateful racism racist sexism sexist homophobia homophobic transphobia antisemitism bigotry slur slurs discrimination discriminate bias prejudice stereotypes dehumanizing misogyny xenophobia islamophobia',
  'jailbreak-attempt': 'jailbreak jailbreaking',
  'prompt-injection': 'injection override',
  'violence-abuse': 'violence violent gore brutality',
  'profanity-offensive-language':
    'profanity swearing swear curse cursing obscene vulgar insult insults offensive rude',
  'sexual-suggestive':
    'sex sexual sexually porn pornography pornographic erotic erotica nudity nude explicit fetish adult nsfw suggestive',
  'unethical-illegal': 'illegal unlawful crime criminal unethical',
  'suicide-self-harm': 'suicide suicidal self-harm selfharm cutting overdose anorexia bulimia',
};

const detectorOfStem = new Map<string, DetectorSlug>();
for (const [slug, words] of Object.entries(subjects))
  for (const word of words.split(' ')) detectorOfStem.set(stem(word), slug as DetectorSlug);

const mostWeight = 0.8;

/** Built-in detectors whose subject the phrases name; the weight is the share of the phrases' meaning it makes up. */
export function priorsOf(phrases: readonly CompiledPhrase[]): { detector: DetectorSlug; weight: number }[] {
  const mass = new Map<DetectorSlug, number>();
  let all = 0;
  for (const { stems } of phrases)
    for (const [each, weight] of stems) {
      all += weight;
      const detector = detectorOfStem.get(each);
      if (detector !== undefined) mass.set(detector, (mass.get(detector) ?? 0) + weight);
    }
  return [...mass]
    .map(([detector, weight]) => ({ detector, weight: Math.min(mostWeight, (2 * weight) / all) }))
    .filter(({ weight }) => weight >= 0.15);
}
