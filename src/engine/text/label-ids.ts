import { detectorSlugs } from './types.ts';

/** Detector ids of labelled rows, in the order of the engine's slugs. */
export const detectorIds = [
  'general_harmful',
  'hate_bias',
  'jailbreak',
  'prompt_injection',
  'violence_abuse',
  'profanity_offensive',
  'sexual_suggestive',
  'unethical_illegal',
  'self_harm',
] as const;

/** Names of the default policies, in the same order. */
const policyNames = [
  'General harmful content',
  'Hate, bias and discriminatory content',
  'Jailbreak attempt',
  'Prompt injection and instruction override',
  'Violence and abuse',
  'Profanity and offensive language',
  'Sexual and suggestive content',
  'Unethical and illegal behavior',
  'Suicide and self-harm',
] as const;

/** Names that differ only in case, spaces and punctuation are equal. */
const bare = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

const idByName = new Map(
  detectorIds.flatMap((id, i) =>
    [id, detectorSlugs[i] ?? '', policyNames[i] ?? ''].map((name): [string, string] => [bare(name), id]),
  ),
);

/**
 * The id under which rows are labelled: for a built-in detector by its slug, its id or the name of its default policy,
 * the data sets' id (`hate_bias`); for any other policy its name in lower case with `_` between words.
 */
export const labelId = (name: string): string => idByName.get(bare(name)) ?? bare(name);
